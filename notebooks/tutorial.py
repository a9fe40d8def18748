# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Landmarks from five small tasks
#
# This notebook learns what plans in a domain have in common, reads it, and plans a larger task with it.
# The domain is Ferry: a ferry that carries one car at a time brings cars to their ports.

# %%
from pathlib import Path

import trailmark
from trailmark import domains

# %% [markdown]
# ## Tasks
#
# The benchmark domains come with generators. Five small tasks are enough to learn from; with your own
# domain, use your own PDDL files.

# %%
Path("domain.pddl").write_text(domains.domain_text("ferry"))
problems = []
for number, text in enumerate(domains.train_problems("ferry"), start=1):
    problems.append(f"train{number}.pddl")
    Path(problems[-1]).write_text(text)
print(Path("train1.pddl").read_text())

# %% [markdown]
# ## Learning
#
# Plans for the training tasks come from an embedded search. `method="chain"` is the paper's method;
# without it, the counter method is tried as well and the better graph is kept.

# %%
model = trailmark.learn("domain.pddl", problems, method="chain", complexity=7)
model

# %% [markdown]
# In a notebook, the model is shown as a picture with its formulas. In words it reads:

# %%
print(model)

# %% [markdown]
# Every sentence stands for a formula over the domain's predicates:

# %%
for feature in model.guidance.features:
    print(feature)

# %% [markdown]
# ## A program of your own
#
# Landmark graphs and programs can be written by hand. This program has a single counter, "cars in the wrong
# place", that is run down to 0.

# %%
misplaced = "n_count(c_and(c_primitive(at_g,0),c_not(c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))))"
Path("program.txt").write_text(f"counter {misplaced}\n")
own = trailmark.load("program.txt", "domain.pddl")
print(own)

# %% [markdown]
# ## Planning
#
# Far more cars than in training.

# %%
Path("large.pddl").write_text(domains.generate("ferry", seed=1, locations=12, cars=30))
solution = own.plan("large.pddl", time_limit=60)
solution

# %%
assert trailmark.validate(solution.task, solution.plan)
print(str(solution)[:200])
print(solution.result.strategy, solution.result.statistics)

# %% [markdown]
# ## Explaining
#
# Which steps serve which landmark, in which pass?

# %%
told = own.explain(solution)
print(str(told)[:1500])

# %%
told.save("report.html")
told

# %% [markdown]
# ## Checking another plan
#
# Any plan can be held against the graph, whoever made it.

# %%
answer = own.check(solution.plan, solution.task)
print(answer, len(answer.acceptances))
