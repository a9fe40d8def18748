"""The same targets guided by coverage, with atheris: `python -m tests.fuzz.guided TARGET FOLDER [OPTION...]`.

New inputs go to the folder; `tests/fuzz/corpus/TARGET` is read besides. Half of the changes are libFuzzer's
own and half those of `mutate`, which keep brackets in balance. The options are libFuzzer's, for example

    pip install atheris
    python -m tests.fuzz.guided features artefacts/features -max_total_time=600
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from random import Random

from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import CORPUS, NAMES, Target

SHARE_MADE = 0.05
SHARE_OWN = 0.5
"""Of the inputs: made anew by the target's grammar, and changed by our own mutations."""
MOST_BYTES = 20_000


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"name a target: {', '.join(NAMES)}")
    import atheris

    name = sys.argv.pop(1)
    logging.disable()
    with atheris.instrument_imports(include=["trailmark"]):
        from tests.fuzz.targets import target

        chosen = target(name)
    folders = [each for each in sys.argv[1:] if not each.startswith("-")]
    if not folders:
        sys.exit("name a folder for the inputs that are found")
    _write_seeds(chosen, Path(folders[0]))
    pool = [data for _, data in chosen.corpus()] + chosen.seeds()

    def changed(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        kind = chance.random()
        if kind < SHARE_MADE:
            return chosen.make(chance)[:most]
        if kind < SHARE_MADE + SHARE_OWN:
            return Mutator(chance, chosen.words, pool).mutated(data)[:most]
        found: bytes = atheris.Mutate(data, most)
        return found

    arguments = [*sys.argv, str(CORPUS / name), f"-max_len={MOST_BYTES}"]
    atheris.Setup(arguments, chosen.direct, custom_mutator=changed)
    atheris.Fuzz()


def _write_seeds(chosen: Target, folder: Path) -> None:
    """The project's own files, where the folder is new."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        for number, data in enumerate(chosen.seeds()):
            (folder / f"seed-{number}").write_bytes(data)


if __name__ == "__main__":
    main()
