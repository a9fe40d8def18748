"""Feature values in training states: the matrix that discovery works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.features.syntax import Expression


@dataclass(frozen=True)
class Valuations:
    """The value of each feature (row) in each training state (column).

    Booleans are 0 and 1; a distance without a path is `INFINITE`. The states of trajectory `t` are
    the columns `offsets[t]` to `offsets[t + 1]`, in the order the plan visits them.
    """

    features: tuple[Expression, ...]
    values: NDArray[np.int32]
    offsets: tuple[int, ...]

    @property
    def trajectories(self) -> int:
        return len(self.offsets) - 1
