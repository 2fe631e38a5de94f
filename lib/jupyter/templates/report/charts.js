// Makes the charts of a report live: what a mark stands for beside the pointer, series picked in a legend, a closer look, and each
// chart as a file. Until a chart comes into view, without scripts and on paper, its picture stays. Texts are set as text, never as
// markup; expressions are interpreted, never evaluated; nothing is loaded.

/** The width of a text as the picture has it, so that a live chart has the same layout. */
function textWidth({ fontSize = 11, fontWeight = "normal", limit = 0 }, text) {
  const { ascii, others, other } = chartTextWidths;
  const widths = ascii[fontWeight === "bold" || Number(fontWeight) >= 600 ? "bold" : "normal"];
  let hundredths = 0;
  for (const character of String(text ?? "")) {
    hundredths += widths[character.charCodeAt(0) - 32] ??
      others.find(([group]) => new RegExp(group, "u").test(character))?.[1] ?? other;
  }
  const width = hundredths * fontSize / 100;
  return limit > 0 ? Math.min(width, limit) : width;
}

/** An element with its attributes and children; strings become text. */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const tip = element("div", { class: "tip", role: "tooltip", hidden: "" });

/** Shows what a mark stands for beside the pointer; nothing hides it. */
function showTip(_, event, __, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const rows = typeof value === "object" ? Object.entries(value) : [["", value]];
  tip.replaceChildren(...rows.map(([name, said]) =>
    element("div", {}, [
      ...(name === "" ? [] : [element("span", {}, [`${name}: `])]),
      typeof said === "object" ? JSON.stringify(said) : String(said),
    ])
  ));
  const { clientX, clientY } = event.changedTouches?.[0] ?? event;
  const { width, height } = tip.getBoundingClientRect();
  const left = clientX + 14 + width > innerWidth ? clientX - 14 - width : clientX + 14;
  const top = clientY + 14 + height > innerHeight ? clientY - 14 - height : clientY + 14;
  tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
}

/** A report loads nothing and links to nothing. */
const NOTHING_LOADED = { load: () => Promise.reject(), sanitize: () => Promise.reject() };

/** Draws a chart again, live, in place of its picture. */
async function enliven(figure) {
  const program = JSON.parse(figure.querySelector("script").textContent);
  const live = element("div", { class: "live" });
  figure.querySelector(".still").after(live);
  const view = new vega.View(vega.parse(program, undefined, { ast: true }), {
    expr: vega.expressionInterpreter,
    renderer: "svg",
    container: live,
    hover: true,
    loader: NOTHING_LOADED,
    logLevel: vega.Error,
    tooltip: showTip,
  });
  try {
    await view.runAsync();
  } catch {
    live.remove();
    return;
  }
  // A finger cannot hover: it taps.
  view.addEventListener("click", (event, item) => showTip(view, event, item, item?.tooltip));
  const zoom = makeZoom(live.querySelector("svg"));
  const button = (label, says, act) => {
    const made = element("button", { type: "button", "aria-label": says, title: says }, [label]);
    made.addEventListener("click", act);
    return made;
  };
  const save = async (type, address) => {
    const name = `${document.title.replace(/[^\p{L}\p{N}]+/gu, "-")}-${charts.indexOf(figure) + 1}.${type}`;
    element("a", { href: await address, download: name }).click();
  };
  live.after(element("div", { class: "tools" }, [
    button("+", "Closer; also Ctrl and the wheel, then drag", () => zoom.by(1.5)),
    button("−", "Farther", () => zoom.by(1 / 1.5)),
    button("1:1", "The whole chart; also a double click", zoom.reset),
    button("SVG", "Save as SVG", () => save("svg", view.toImageURL("svg"))),
    button("PNG", "Save as PNG", () => save("png", view.toImageURL("png", 2))),
  ]));
  figure.classList.add("is-live");
}

/** Lets a picture be looked at closely: by a factor around a point, dragged, and whole again. */
function makeZoom(svg) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  let [scale, left, top] = [1, 0, 0];
  const show = () => {
    left = Math.min(Math.max(0, left), width - width / scale);
    top = Math.min(Math.max(0, top), height - height / scale);
    svg.setAttribute("viewBox", `${left} ${top} ${width / scale} ${height / scale}`);
    svg.classList.toggle("is-close", scale > 1);
  };
  const by = (factor, x = 0.5, y = 0.5) => {
    const next = Math.min(8, Math.max(1, scale * factor));
    left += width * x * (1 / scale - 1 / next);
    top += height * y * (1 / scale - 1 / next);
    scale = next;
    show();
  };
  const reset = () => {
    scale = 1;
    show();
  };
  svg.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    by(Math.exp(-event.deltaY / 300), (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (scale === 1 || event.buttons !== 1) return;
    left -= event.movementX / scale;
    top -= event.movementY / scale;
    show();
  });
  svg.addEventListener("dblclick", reset);
  return { by, reset };
}

vega.textMetrics.width = textWidth;
document.body.append(tip);
addEventListener("scroll", () => tip.hidden = true, { passive: true });
const charts = [...document.querySelectorAll("figure.chart:has(> script)")];
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watch.unobserve(target);
    setTimeout(() => enliven(target));
  }
}, { rootMargin: "300px" });
charts.forEach((figure) => watch.observe(figure));
