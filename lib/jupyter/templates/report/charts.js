// Makes the charts of a report live: what a mark stands for beside the pointer or finger, and series picked in a legend. Without scripts
// and on paper the pictures stay as they are. Texts are set as text, never as markup; nothing is loaded.

/** An element with its attributes and children; strings become text. */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const tip = element("div", { class: "tip", role: "tooltip", hidden: "" });

/** Shows what a mark stands for beside the pointer. */
function showTip({ target, clientX, clientY }) {
  const mark = target.closest?.("figure.chart svg :is([data-tip], :has(> title))");
  tip.hidden = !mark;
  if (!mark) return;
  const title = mark.querySelector(":scope > title");
  // The browser's own tooltip would cover this one.
  if (title) {
    mark.dataset.tip = title.textContent;
    mark.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  tip.replaceChildren(...mark.dataset.tip.split("\n").map((line) => element("div", {}, [line])));
  const { width, height } = tip.getBoundingClientRect();
  const left = clientX + 14 + width > innerWidth ? clientX - 14 - width : clientX + 14;
  const top = clientY + 14 + height > innerHeight ? clientY - 14 - height : clientY + 14;
  tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
}

/** The colour of a mark: its own, or that of its group. */
function colourOf(mark) {
  const own = (kind) => mark.closest(`[${kind}]`)?.getAttribute(kind);
  return mark.matches(".mark-line *, .mark-rule *") ? own("stroke") : own("fill");
}

const MARKS = [".mark-symbol", ".mark-line", ".mark-area", ".mark-rule", ".mark-rect"].map((kind) =>
  `${kind}.role-mark > *`
);

/** Fades the series that have another colour; the same colour again shows all. */
function pick(figure, colour) {
  const picked = figure.dataset.picked === colour ? "" : colour;
  figure.dataset.picked = picked;
  for (const key of figure.querySelectorAll(".key")) {
    key.ariaPressed = String(key.querySelector("path").getAttribute("fill") === picked);
  }
  const colours = new Set([...figure.querySelectorAll(".mark-symbol.role-mark > *, .key path")].map(colourOf));
  for (const mark of figure.querySelectorAll(MARKS.join())) {
    const own = colourOf(mark);
    mark.classList.toggle("faded", picked !== "" && own !== picked && colours.has(own));
  }
}

/** Makes the keys of a chart buttons, and its marks choose their series. */
function enliven(figure) {
  for (const key of figure.querySelectorAll(".key")) {
    Object.assign(key, { role: "button", tabIndex: 0, ariaPressed: "false" });
    const act = () => pick(figure, key.querySelector("path").getAttribute("fill"));
    key.addEventListener("click", act);
    key.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), act()));
  }
  for (const mark of figure.querySelectorAll(".mark-symbol.role-mark > *")) {
    mark.addEventListener("click", () => pick(figure, colourOf(mark)));
  }
  figure.classList.add("is-live");
}

document.body.append(tip);
addEventListener("pointermove", showTip);
addEventListener("pointerdown", showTip);
addEventListener("scroll", () => tip.hidden = true, { passive: true });
document.querySelectorAll("figure.chart").forEach(enliven);
