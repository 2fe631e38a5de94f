/// <reference lib="dom" />

const tip = document.createElement("div");

/** Shows beside the pointer what a mark stands for. */
function showTip({ target, clientX, clientY }: PointerEvent): void {
  const mark = (target as Element).closest<SVGElement>("figure.chart svg :is([data-tip], :has(> title))");
  tip.hidden = mark === null;
  if (mark === null) return;
  const title = mark.querySelector(":scope > title");
  // The browser's own tooltip would cover this one.
  if (title !== null) {
    mark.dataset["tip"] = title.textContent;
    mark.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  tip.textContent = mark.dataset["tip"]!;
  const { width, height } = tip.getBoundingClientRect();
  const left = clientX + 14 + width > innerWidth ? clientX - 14 - width : clientX + 14;
  const top = clientY + 14 + height > innerHeight ? clientY - 14 - height : clientY + 14;
  tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
}

/** Shows what the marks of charts stand for where the pointer or a finger is. */
export function showTips(): void {
  Object.assign(tip, { className: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  addEventListener("pointermove", showTip);
  addEventListener("pointerdown", showTip);
  addEventListener("scroll", () => tip.hidden = true, { passive: true });
}

/** Returns the colour of a mark: its own, or that of its group. */
function colourOf(mark: Element): string {
  const kind = mark.matches(".mark-line *, .mark-rule *") ? "stroke" : "fill";
  return mark.closest(`[${kind}]`)?.getAttribute(kind) ?? "";
}

const POINTS = ".mark-symbol.role-mark :is(path, rect)";
const MARKS = `${POINTS}, :is(.mark-line, .mark-area, .mark-rule, .mark-rect).role-mark :is(path, rect, line)`;

/** Makes the keys of a chart fade the other series; its points, if they lead nowhere, do so too. */
export function enliven(figure: HTMLElement): void {
  const keys = [...figure.querySelectorAll<HTMLElement>(".key")];
  const colours = new Set([...figure.querySelectorAll(`${POINTS}, .key path`)].map(colourOf));
  let picked = "";
  const pick = (colour: string): void => {
    picked = picked === colour ? "" : colour;
    for (const key of keys) key.ariaPressed = String(colourOf(key.querySelector("path")!) === picked);
    for (const mark of figure.querySelectorAll(MARKS)) {
      const own = colourOf(mark);
      mark.classList.toggle("faded", picked !== "" && own !== picked && colours.has(own));
    }
  };
  for (const key of keys) key.addEventListener("click", () => pick(colourOf(key.querySelector("path")!)));
  for (const mark of figure.querySelectorAll(POINTS)) {
    if (mark.closest("a") === null) mark.addEventListener("click", () => pick(colourOf(mark)));
  }
  figure.classList.add("is-live");
}
