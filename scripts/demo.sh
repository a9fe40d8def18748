#!/bin/sh
# The product in a minute: learn from five small Delivery tasks, understand what was learned, and solve
# a task far larger than those. Everything it makes is in demo/.
set -eu
folder=demo
mkdir -p "$folder"

say() { printf '\n== %s\n' "$*"; }

trailmark generate delivery --domain -o "$folder/domain.pddl"
for number in 1 2 3 4 5; do
    trailmark generate delivery --train "$number" -o "$folder/train$number.pddl"
done
trailmark generate delivery --size width=9 --size height=9 --size packages=40 --seed 1 -o "$folder/large.pddl"

say "Learning from five small Delivery tasks"
trailmark learn "$folder/domain.pddl" "$folder"/train?.pddl -o "$folder/model.json" --time-limit 15

say "What was learned, in words"
trailmark show "$folder/model.json"

say "Planning a 9x9 grid with 40 packages"
trailmark plan "$folder/model.json" "$folder/domain.pddl" "$folder/large.pddl" -o "$folder/large.plan" \
    --time-limit 45
trailmark validate "$folder/domain.pddl" "$folder/large.pddl" "$folder/large.plan"

say "How the plan follows the landmarks (its beginning; all of it is in $folder/explanation.txt)"
trailmark explain "$folder/model.json" "$folder/domain.pddl" "$folder/large.pddl" "$folder/large.plan" \
    -o "$folder/explanation.txt"
head -n 12 "$folder/explanation.txt"
trailmark explain "$folder/model.json" "$folder/domain.pddl" "$folder/large.pddl" "$folder/large.plan" \
    --format html -o "$folder/report.html"

say "What happened"
cat <<END
Five tasks of one to three packages were generated, solved and generalized into the landmark graph above.
With it a task of 40 packages was planned by leaping from landmark to landmark; the plan was validated.
  $folder/model.json       the graph, its formulas and where it came from
  $folder/large.plan       the plan: $(grep -c '^(' "$folder/large.plan") steps
  $folder/explanation.txt  the plan, told by its landmarks
  $folder/report.html      graph and plan as a page: open it in a browser
Next: the same for your own domain, as in the quick start of docs/.
END
