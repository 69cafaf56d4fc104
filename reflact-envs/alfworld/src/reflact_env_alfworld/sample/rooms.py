"""Made-up rooms: what stands in them, what lies where, and what is to be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from reflact_env_alfworld.kinds import TaskType

KITCHEN = ("CounterTop", "DiningTable", "Cabinet", "Shelf", "GarbageCan", "StoveBurner")
APPLIANCES = ("SinkBasin", "Microwave", "Fridge")
BEDROOM = ("Desk", "SideTable", "Bed", "Dresser", "Shelf", "Drawer", "Drawer", "Safe")
OPENABLE = frozenset({"Cabinet", "Drawer", "Fridge", "Microwave", "Safe"})
FOOD = ("Apple", "Tomato", "Potato", "Egg", "Lettuce", "Bread")
DISHES = ("Mug", "Cup", "Plate", "Bowl", "Pan", "Spatula")
THINGS = ("Book", "Pen", "CreditCard", "KeyChain", "CellPhone", "Vase", "AlarmClock", "Pillow")
LAMP = "DeskLamp"
PLACES: dict[TaskType, Sequence[str]] = {
    "pick_and_place_simple": ("Desk", "SideTable", "Dresser", "Safe", "Shelf"),
    "look_at_obj_in_light": ("Desk",),
    "pick_clean_then_place_in_recep": ("DiningTable", "Shelf", "CounterTop", "Cabinet"),
    "pick_heat_then_place_in_recep": ("DiningTable", "GarbageCan", "CounterTop"),
    "pick_cool_then_place_in_recep": ("DiningTable", "StoveBurner", "CounterTop"),
    "pick_two_obj_and_place": ("Safe", "SideTable", "Bed", "Dresser"),
}
TARGETS: dict[TaskType, Sequence[str]] = {
    "pick_and_place_simple": THINGS,
    "look_at_obj_in_light": THINGS,
    "pick_clean_then_place_in_recep": DISHES,
    "pick_heat_then_place_in_recep": FOOD,
    "pick_cool_then_place_in_recep": FOOD,
    "pick_two_obj_and_place": THINGS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that lies in or on a receptacle; `at` is that receptacle's place in `Room.receptacles`."""

    kind: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room with a task: `receptacles` are kinds, one each at a place of its own."""

    task: TaskType
    target: str
    place: str
    receptacles: tuple[str, ...]
    things: tuple[Thing, ...]


def furnish(task: TaskType, target: str, place: str, dice: Random) -> Room:
    """Return a room in which *target* has to get to *place* as *task* says, and is not there yet."""
    kitchen = target in (*FOOD, *DISHES)
    receptacles = (*KITCHEN, *APPLIANCES) if kitchen else BEDROOM
    free = [at for at, kind in enumerate(receptacles) if kind not in (place, "SinkBasin", "Microwave")]
    anywhere = range(len(receptacles))
    copies = 2 if task == "pick_two_obj_and_place" else 1
    others = [kind for kind in ((*FOOD, *DISHES) if kitchen else THINGS) if kind != target]
    things = [Thing(kind=target, at=at) for at in dice.sample(free, copies)]
    things += [Thing(kind=kind, at=dice.choice(anywhere)) for kind in dice.sample(others, 3)]
    if not kitchen:
        things.append(Thing(kind=LAMP, at=receptacles.index("Desk")))
    return Room(task=task, target=target, place=place, receptacles=tuple(receptacles), things=tuple(things))
