"""The paper's Delivery training set, as files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

FOLDER = Path(str(files("trailmark.bench"))) / "paper_delivery"
DOMAIN = str(Path(str(files("trailmark.domains"))) / "pddl" / "delivery.pddl")
PROBLEMS = [str(FOLDER / f"t0{number}.pddl") for number in range(1, 6)]
FD_PLANS, PLUS24_PLANS, PLUS50_PLANS = (
    [problem.replace(".pddl", f".{kind}.plan") for problem in PROBLEMS] for kind in ("fd", "plus24", "plus50")
)
