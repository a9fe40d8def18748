#!/bin/sh
# The product in a minute: learn from five small Delivery tasks, understand what was learned, and solve
# a task far larger than those. Everything it makes is in demo/.
set -eu
folder=demo
mkdir -p "$folder"

say() { printf '\n== %s\n' "$*"; }

say "Five small Delivery tasks, and one on a 9x9 grid with 40 packages"
trailmark generate delivery --domain -o "$folder/domain.pddl"
for number in 1 2 3 4 5; do
    trailmark generate delivery --train "$number" -o "$folder/train$number.pddl"
done
trailmark generate delivery --size width=9 --size height=9 --size packages=40 --seed 1 -o "$folder/large.pddl"
ls "$folder"/*.pddl | tr '\n' ' '
echo

say "Learn from the five"
trailmark learn "$folder/domain.pddl" "$folder"/train?.pddl -o "$folder/model.json" --time-limit 15

say "What was learned, in words"
trailmark show "$folder/model.json" --domain "$folder/domain.pddl"

say "Plan the large task"
trailmark plan "$folder/model.json" "$folder/domain.pddl" "$folder/large.pddl" -o "$folder/large.plan" --time-limit 45
trailmark validate "$folder/domain.pddl" "$folder/large.pddl" "$folder/large.plan"

say "How the plan follows the landmarks"
trailmark check "$folder/model.json" "$folder/domain.pddl" "$folder/large.pddl" "$folder/large.plan" | cut -c 1-110
