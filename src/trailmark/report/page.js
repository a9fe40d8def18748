"use strict";
(() => {
  const nodes = [...document.querySelectorAll(".tm-landmark[data-landmark]")];
  const details = [...document.querySelectorAll(".detail")];
  const data = document.getElementById("plan-data");
  const plan = data ? JSON.parse(data.textContent) : null;
  const slider = document.getElementById("state");
  let state = 0;

  const select = (number) => {
    for (const node of nodes) node.setAttribute("aria-pressed", String(node.dataset.landmark === number));
    for (const each of details) each.hidden = each.dataset.landmark !== number;
  };
  for (const node of nodes) {
    node.addEventListener("click", () => select(node.dataset.landmark));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        select(node.dataset.landmark);
        return;
      }
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      const other = step && nodes[nodes.indexOf(node) + step];
      if (other) {
        event.preventDefault();
        other.focus();
      }
    });
  }
  if (nodes.length) select(nodes[0].dataset.landmark);
  if (!plan || !slider) return;

  // A feature's values are stored where they change: [state, value] in order.
  const valueOf = (feature, at) => {
    const changes = plan.values[feature];
    let low = 0, high = changes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (changes[middle][0] <= at) low = middle; else high = middle - 1;
    }
    return changes[low][1];
  };
  const tests = {
    ">": (a, b) => a > b, ">=": (a, b) => a >= b, "<": (a, b) => a < b,
    "<=": (a, b) => a <= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b,
  };
  const shown = (value) => (value === null ? "∞" : String(value));
  const show = (at) => {
    state = Math.max(0, Math.min(plan.steps.length, at));
    slider.value = String(state);
    slider.setAttribute("aria-valuetext", state ? `step ${state}: ${plan.steps[state - 1]}` : "initial state");
    document.getElementById("where").textContent =
      state ? `after step ${state}: ${plan.steps[state - 1]}` : "initial state";
    for (const line of document.querySelectorAll(".cursor")) {
      line.setAttribute("x1", String(state));
      line.setAttribute("x2", String(state));
    }
    for (const place of document.querySelectorAll("[data-features]")) {
      const values = place.dataset.features.split(" ").map((feature) => valueOf(Number(feature), state));
      const bold = document.createElement("b");
      const minus = Number(place.dataset.minus || 0);
      const less = (value) => (value === null ? null : Math.max(0, value - minus));
      bold.textContent = (minus ? values.map(less) : values).map(shown).join(", ");
      place.replaceChildren("value ", bold);
      const test = tests[place.dataset.operator];
      if (test) {
        const value = values[0] === null ? Infinity : values[0];
        const holds = test(value, Number(place.dataset.threshold)) === (place.dataset.positive === "true");
        const word = document.createElement("span");
        word.className = holds ? "good" : "bad";
        word.textContent = holds ? " ✓ holds" : " ✗ does not hold";
        place.append(word);
      }
    }
    for (const each of document.querySelectorAll(".stretches>li")) {
      const inside = state >= Number(each.dataset.first) && state <= Number(each.dataset.last);
      each.classList.toggle("current", inside);
    }
    for (const each of document.querySelectorAll(".actions li.current")) each.classList.remove("current");
    const step = document.querySelector(`.actions li[value="${state}"]`);
    if (step) step.classList.add("current");
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const button of document.querySelectorAll("button[data-state]")) {
    button.addEventListener("click", () => {
      show(Number(button.dataset.state));
      if (button.dataset.landmark) select(button.dataset.landmark);
    });
  }
  show(0);
})();
