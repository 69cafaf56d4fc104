"""A room as a PDDL problem of the domain `alfred`, and its task in words."""

from collections.abc import Iterator

from reflact_env_alfworld.kinds import TaskType
from reflact_env_alfworld.sample.rooms import DISHES, FOOD, LAMP, OPENABLE, Room

GROUNDED_R = ("SinkBasin", "Microwave", "Fridge")
GROUNDED_O = ("Knife", "ButterKnife")
"""Kinds the domain's actions name: without them it does not ground."""
WORDS: dict[TaskType, str] = {
    "pick_and_place_simple": "put a {thing} in or on a {place}",
    "look_at_obj_in_light": "look at a {thing} under the desklamp",
    "pick_clean_then_place_in_recep": "put a clean {thing} in or on a {place}",
    "pick_heat_then_place_in_recep": "put a hot {thing} in or on a {place}",
    "pick_cool_then_place_in_recep": "put a cool {thing} in or on a {place}",
    "pick_two_obj_and_place": "put two {thing}s in or on a {place}",
}
STATES: dict[TaskType, str] = {
    "pick_clean_then_place_in_recep": "isClean",
    "pick_heat_then_place_in_recep": "isHot",
    "pick_cool_then_place_in_recep": "isCool",
}


def words(room: Room) -> str:
    """Return the task of *room* as a sentence without its full stop."""
    return WORDS[room.task].format(thing=room.target.lower(), place=room.place.lower())


def problem(room: Room) -> str:
    """Return *room* as a PDDL problem."""
    places = [f"loc_bar_{at}" for at in range(len(room.receptacles) + 1)]
    stands = [_receptacle(kind, at) for at, kind in enumerate(room.receptacles)]
    lies = [_thing(thing.kind, number) for number, thing in enumerate(room.things)]
    rtypes = sorted({*room.receptacles, *GROUNDED_R})
    otypes = sorted({*(thing.kind for thing in room.things), *GROUNDED_O})
    objects = [
        *(f"{one} - location" for one in places),
        *(f"{one} - receptacle" for one in stands),
        *(f"{one} - object" for one in lies),
        *(f"{one}Type - rtype" for one in rtypes),
        *(f"{one}Type - otype" for one in otypes),
    ]
    facts = [
        "= (total-cost) 0",
        f"atLocation agent1 {places[-1]}",
        *_standing(room, stands, places),
        *_lying(room, lies, stands, places),
        *(f"canContain {rtype}Type {otype}Type" for rtype in rtypes for otype in otypes if otype != LAMP),
    ]
    lines = "\n".join(f"  ({fact})" for fact in facts)
    return (
        "(define (problem made_up)\n (:domain alfred)\n (:objects\n  agent1 - agent\n  " + "\n  ".join(objects) + ")\n"
        f" (:init\n{lines})\n (:goal {_goal(room)})\n (:metric minimize (total-cost)))\n"
    )


def _standing(room: Room, stands: list[str], places: list[str]) -> Iterator[str]:
    for one, kind, place in zip(stands, room.receptacles, places, strict=False):
        yield f"receptacleAtLocation {one} {place}"
        yield f"receptacleType {one} {kind}Type"
        if kind in OPENABLE:
            yield f"openable {one}"


def _lying(room: Room, lies: list[str], stands: list[str], places: list[str]) -> Iterator[str]:
    for one, thing in zip(lies, room.things, strict=True):
        yield f"objectType {one} {thing.kind}Type"
        yield f"inReceptacle {one} {stands[thing.at]}"
        yield f"objectAtLocation {one} {places[thing.at]}"
        yield f"{'toggleable' if thing.kind == LAMP else 'pickupable'} {one}"
        if thing.kind in (*FOOD, *DISHES):
            yield f"cleanable {one}"
            yield f"coolable {one}"
        if thing.kind in (*FOOD, "Mug", "Cup", "Plate"):
            yield f"heatable {one}"


def _goal(room: Room) -> str:
    thing, place = f"{room.target}Type", f"{room.place}Type"
    there = "(inReceptacle {o} ?r) (objectType {o} " + thing + ")"
    if room.task == "look_at_obj_in_light":
        lit = f"(objectType ?t {LAMP}Type) (isToggled ?t) (objectAtLocation ?t ?l) (atLocation ?a ?l)"
        held = f"(holds ?a ?o) (objectType ?o {thing})"
        return f"(exists (?t - object ?o - object ?a - agent ?l - location) (and {lit} {held}))"
    if room.task == "pick_two_obj_and_place":
        both = f"{there.format(o='?o')} {there.format(o='?p')} (not (= ?o ?p))"
        return f"(exists (?r - receptacle ?o - object ?p - object) (and (receptacleType ?r {place}) {both}))"
    state = f" ({STATES[room.task]} ?o)" if room.task in STATES else ""
    return f"(exists (?r - receptacle ?o - object) (and (receptacleType ?r {place}) {there.format(o='?o')}{state}))"


def _receptacle(kind: str, at: int) -> str:
    where = f"_bar__plus_{at:02d}_dot_00_bar__plus_00_dot_90_bar__minus_{at:02d}_dot_50"
    return f"Sink{where}_bar_SinkBasin" if kind == "SinkBasin" else f"{kind}{where}"


def _thing(kind: str, number: int) -> str:
    return f"{kind}_bar__minus_{number:02d}_dot_25_bar__plus_01_dot_10_bar__plus_{number:02d}_dot_75"
