"""The 21 domains of the paper's Appendix A by name, and four further ones of the project's own."""

from __future__ import annotations

from trailmark.domains.baking import BAKING
from trailmark.domains.barman import BARMAN
from trailmark.domains.blocksworld import BLOCKSWORLD, BLOCKSWORLD_TOWER
from trailmark.domains.childsnack import CHILDSNACK
from trailmark.domains.delivery import DELIVERY
from trailmark.domains.driverlog import DRIVERLOG
from trailmark.domains.ferry import FERRY
from trailmark.domains.floortile import FLOORTILE, FLOORTILE_SINGLE
from trailmark.domains.footwear import FOOTWEAR
from trailmark.domains.garden import GARDEN
from trailmark.domains.grid import GRID, GRID_NO_EXCHANGE
from trailmark.domains.gripper import GRIPPER
from trailmark.domains.logistics import LOGISTICS
from trailmark.domains.miconic import MICONIC, MICONIC_CAPACITY, MICONIC_UP
from trailmark.domains.newspapers import NEWSPAPERS
from trailmark.domains.shunting import SHUNTING
from trailmark.domains.spec import DomainSpec
from trailmark.domains.tpp import TPP
from trailmark.domains.visitall import VISITALL
from trailmark.domains.warehouse import WAREHOUSE
from trailmark.domains.workshop import WORKSHOP

REGISTRY: dict[str, DomainSpec] = {
    "baking": BAKING,
    "barman": BARMAN,
    "blocksworld": BLOCKSWORLD,
    "blocksworld-tower": BLOCKSWORLD_TOWER,
    "childsnack": CHILDSNACK,
    "delivery": DELIVERY,
    "driverlog": DRIVERLOG,
    "ferry": FERRY,
    "floortile": FLOORTILE,
    "floortile-single": FLOORTILE_SINGLE,
    "footwear": FOOTWEAR,
    "grid": GRID,
    "grid-no-exchange": GRID_NO_EXCHANGE,
    "gripper": GRIPPER,
    "logistics": LOGISTICS,
    "miconic": MICONIC,
    "miconic-capacity": MICONIC_CAPACITY,
    "miconic-up": MICONIC_UP,
    "newspapers": NEWSPAPERS,
    "tpp": TPP,
    "visitall": VISITALL,
}

FURTHER: dict[str, DomainSpec] = {
    "garden": GARDEN,
    "shunting": SHUNTING,
    "warehouse": WAREHOUSE,
    "workshop": WORKSHOP,
}
"""Written after the learner, to see how it does on domains that it was not made with."""
