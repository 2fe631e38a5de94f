// Makes the charts of a report live: what a mark stands for beside the pointer or finger, series picked in a legend, a closer look, and
// each chart as a file. Without scripts and on paper the pictures stay as they are. Texts are set as text, never as markup; nothing is
// loaded.

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
    key.setAttribute("aria-pressed", String(key.querySelector("path").getAttribute("fill") === picked));
  }
  const colours = new Set([...figure.querySelectorAll(".mark-symbol.role-mark > *, .key path")].map(colourOf));
  for (const mark of figure.querySelectorAll(MARKS.join())) {
    const own = colourOf(mark);
    mark.classList.toggle("faded", picked !== "" && own !== picked && colours.has(own));
  }
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

/** The lines of a text on the page, with their places. */
function linesOf(node) {
  const lines = [];
  const range = document.createRange();
  for (const { 0: word, index } of node.textContent.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, bottom } = range.getBoundingClientRect();
    if (lines.at(-1)?.bottom === bottom) lines.at(-1).text += word;
    else lines.push({ text: word, left, bottom });
  }
  return lines;
}

/** The whole figure as one picture, in the colours of paper: its texts, and its charts and keys. */
function pictureOf(figure) {
  const frame = figure.getBoundingClientRect();
  const make = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
  const picture = make("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  picture.append(make("rect", { width, height, fill: "white" }));
  const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (box.closest("svg, .tools") || !box.checkVisibility()) continue;
    const { fontSize, fontWeight, fontFamily } = getComputedStyle(box);
    for (const { text, left, bottom } of linesOf(node)) {
      const place = { x: left - frame.left, y: bottom - frame.top - 0.25 * parseFloat(fontSize), fill: "#222222" };
      const font = { "font-size": fontSize, "font-weight": fontWeight, "font-family": fontFamily };
      picture.append(make("text", { ...place, ...font }, text));
    }
  }
  for (const svg of figure.querySelectorAll("svg")) {
    if (!svg.checkVisibility()) continue;
    const { left, top, width, height } = svg.getBoundingClientRect();
    const copy = svg.cloneNode(true);
    const place = { x: left - frame.left, y: top - frame.top, width, height };
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value);
    for (const faded of copy.querySelectorAll(".faded")) faded.setAttribute("opacity", 0.12);
    picture.append(copy);
  }
  return {
    address: `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`,
    width,
    height,
  };
}

async function pngOf({ address, width, height }) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = element("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  return canvas.toDataURL("image/png");
}

/** Adds the buttons of a chart, and makes its keys buttons. */
function enliven(figure, index) {
  const zooms = [...figure.querySelectorAll(":is(.wide, .narrow) > svg[viewBox]")].map(makeZoom);
  const button = (label, title, act) => {
    const made = element("button", { type: "button", "aria-label": title, title }, [label]);
    made.addEventListener("click", act);
    return made;
  };
  const save = (type, href) => {
    const name = `${document.title.replace(/[^\p{L}\p{N}]+/gu, "-")}-${index + 1}.${type}`;
    element("a", { href, download: name }).click();
  };
  figure.append(element("div", { class: "tools" }, [
    button("+", "Closer; also Ctrl and the wheel, then drag", () => zooms.forEach((zoom) => zoom.by(1.5))),
    button("−", "Farther", () => zooms.forEach((zoom) => zoom.by(1 / 1.5))),
    button("1:1", "The whole chart; also a double click", () => zooms.forEach((zoom) => zoom.reset())),
    button("SVG", "Save as SVG", () => save("svg", pictureOf(figure).address)),
    button("PNG", "Save as PNG", async () => save("png", await pngOf(pictureOf(figure)))),
  ]));
  for (const key of figure.querySelectorAll(".key")) {
    for (const [name, value] of [["role", "button"], ["tabindex", "0"], ["aria-pressed", "false"]]) {
      key.setAttribute(name, value);
    }
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
