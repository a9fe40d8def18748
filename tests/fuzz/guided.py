"""The same targets guided by coverage, with atheris: `python -m tests.fuzz.guided TARGET FOLDER [OPTION...]`.

New inputs go to the folder; `tests/fuzz/corpus/TARGET` is read besides. The options are libFuzzer's,
for example

    pip install atheris
    python -m tests.fuzz.guided features artefacts/features -max_total_time=600
"""

from __future__ import annotations

import sys

from tests.fuzz.targets import CORPUS, NAMES


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"name a target: {', '.join(NAMES)}")
    import atheris

    name = sys.argv.pop(1)
    with atheris.instrument_imports(include=["trailmark"]):
        from tests.fuzz.targets import target

        chosen = target(name)
    if not any(not each.startswith("-") for each in sys.argv[1:]):
        sys.exit("name a folder for the inputs that are found")
    atheris.Setup([*sys.argv, str(CORPUS / name)], chosen.one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
