// Browses the samples of one run, or of two side by side. The hash of the address keeps filters, order and the open sample, so each
// view has a link. Everything from a run is set as text, never as markup. Nothing is loaded, except prompts from the page's own server.

const facts = JSON.parse(document.getElementById("facts").textContent);
const PAGE_ROWS = 50;
const BINS = 5;

/** An element with its attributes and children; strings become text. */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Control characters and direction marks, which could change what a page shows. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text as it is shown: hidden characters are written out, such as \u{202e}. */
function visible(text) {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** Reads a compressed block of the page. */
async function unpack(block) {
  const bytes = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

function lengthText(tokens) {
  if (tokens % 1048576 === 0) return `${tokens / 1048576}M`;
  return tokens % 1024 === 0 ? `${tokens / 1024}K` : tokens.toLocaleString("en-US");
}

function percent(value) {
  return value === null ? "–" : String(Math.round(100 * value));
}

// Rows

const isPair = facts.models.length === 2;
const rows = [];
const rowOfKey = new Map();

async function readRows() {
  for (const block of document.querySelectorAll("script.rows")) {
    for (const [task, length, index, repeat, depth, id, wanted, answers, reason] of await unpack(block)) {
      const row = { at: rows.length, task: facts.tasks[task], length, index, repeat, depth, id, wanted };
      row.why = facts.reasons[reason];
      row.answers = answers.map(([value, verdict, latency, text, lines, modes, thinking]) => (
        { value, verdict: facts.verdicts[verdict], latency, text, lines, modes, thinking }
      ));
      const key = `${row.task}/${length}/${index}${repeat > 0 ? `/${repeat}` : ""}`;
      row.key = rowOfKey.has(key) ? `${id}/${repeat}` : key;
      rowOfKey.set(row.key, row);
      rows.push(row);
    }
    block.remove();
  }
}

function placeText({ task, length, index, repeat }) {
  return `${task} at ${lengthText(length)}, sample ${index}${repeat > 0 ? `, repeat ${repeat}` : ""}`;
}

function binOf({ depth }) {
  return depth === null ? null : Math.min(BINS - 1, Math.floor(BINS * depth));
}

function binText(bin) {
  return bin === null ? "no one place" : `${100 * bin / BINS}–${100 * (bin + 1) / BINS}%`;
}

function classText({ value, modes }) {
  if (modes.length > 0) return modes[0][0];
  return value === null || value === 1 ? "none" : "not classified";
}

const ofRun = (label, run) => isPair ? `${label}, ${facts.models[run]}` : label;

/** The menus. Their order is that of their values in the run, except for numbers. */
const MENUS = [
  { id: "task", label: "Task", of: ({ task }) => task },
  { id: "length", label: "Length", of: ({ length }) => length, text: lengthText },
  { id: "depth", label: "Depth", of: binOf, text: binText },
  ...facts.models.flatMap((_, run) => [
    { id: `verdict${run}`, label: ofRun("Verdict", run), of: ({ answers }) => answers[run].verdict },
    { id: `class${run}`, label: ofRun("Failure", run), of: ({ answers }) => classText(answers[run]) },
  ]),
  ...(isPair
    ? [{
      id: "scores",
      label: "Scores",
      of: ({ answers: [one, two] }) => one.value === two.value ? "same" : "different",
    }]
    : []),
];

/** The columns that sort. */
const SORTS = [
  { id: "", label: "Sample", of: ({ at }) => at },
  { id: "length", label: "Length", of: ({ length }) => length },
  { id: "depth", label: "Depth", of: ({ depth }) => depth },
  ...facts.models.map((_, run) => (
    { id: `score${run}`, label: isPair ? `Score ${run + 1}` : "Score", of: ({ answers }) => answers[run].value }
  )),
  { id: "latency", label: "Time", of: ({ answers: [{ latency }] }) => latency },
];

// State, in the hash of the address

let state = {};

function readState() {
  state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** The address of a view with some changes; empty values are left out. */
function hashOf(changes) {
  const entries = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== "");
  return `#${new URLSearchParams(entries)}`;
}

function go(changes) {
  location.hash = hashOf(changes);
}

/** The rows that pass the filters, except for some of these. */
function filtered(ignored = []) {
  const active = MENUS.filter(({ id }) => state[id] !== undefined && !ignored.includes(id));
  const wanted = (state.q ?? "").toLowerCase();
  const has = (text) => text.toLowerCase().includes(wanted);
  return rows.filter((row) =>
    active.every(({ id, of }) => String(of(row)) === state[id]) &&
    (wanted === "" || has(row.id) || row.wanted.some(has) || row.answers.some(({ text }) => has(text)))
  );
}

function sorted(found) {
  const [, falling, id = ""] = /^(-?)(.*)$/.exec(state.sort ?? "");
  const { of } = SORTS.find((each) => each.id === id) ?? SORTS[0];
  const sign = falling === "-" ? -1 : 1;
  // Missing values are last in both directions.
  const compare = (one, two) =>
    one === null || two === null ? Number(one === null) - Number(two === null) : sign * (one - two);
  return found.toSorted((left, right) => compare(of(left), of(right)));
}

// Filters

const search = element("input", { type: "search", id: "q", placeholder: "reply, answer or sample id" });
const menus = new Map();
const count = element("p", { class: "count", role: "status" });

function makeFilters() {
  const made = MENUS.flatMap(({ id, label, of, text = String }) => {
    const values = [...new Set(rows.map(of))];
    if (values.length < 2) return [];
    if (values.every((value) => value === null || typeof value === "number")) {
      values.sort((one, two) => (one ?? 1e9) - (two ?? 1e9));
    }
    const select = element("select", { id }, [
      element("option", { value: "" }, ["any"]),
      ...values.map((value) => element("option", { value: String(value) }, [visible(text(value))])),
    ]);
    select.addEventListener("change", () => go({ [id]: select.value, page: "" }));
    menus.set(id, select);
    return [element("label", {}, [label, select])];
  });
  const reset = element("button", { type: "button" }, ["All samples"]);
  reset.addEventListener(
    "click",
    () => location.hash = hashOf(Object.fromEntries(Object.keys(state).map((id) => [id, ""]))),
  );
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => location.replace(hashOf({ q: search.value, page: "" })), 200);
  });
  return element("form", { class: "filters", role: "search" }, [
    element("label", {}, ["Search", search]),
    ...made,
    reset,
  ]);
}

// Overview

const overview = element("section", { id: "overview", "aria-label": "Scores by length" });

function mean(values) {
  const scored = values.filter((value) => value !== null);
  return scored.length === 0 ? null : scored.reduce((sum, value) => sum + value, 0) / scored.length;
}

/** A grid of mean scores: lengths by depths, or by tasks. A cell filters by its length and column. */
function drawOverview() {
  const hasDepth = rows.some(({ depth }) => depth !== null);
  const hasTasks = menus.has("task");
  const by = ["task", "depth"].find((id) => id === state.by) ??
    (hasDepth && (!hasTasks || state.task !== undefined) ? "depth" : "task");
  const { of, text = String } = MENUS.find(({ id }) => id === by);
  const cells = Map.groupBy(filtered(["length", by]), (row) => `${row.length} ${of(row)}`);
  const unique = (values) => [...new Set(values)];
  const lengths = unique(rows.map(({ length }) => length)).sort((one, two) => one - two);
  const columns = by === "depth" ? Array.from({ length: BINS }, (_, bin) => bin) : unique(rows.map(of));
  const cell = (length, column) => {
    const found = cells.get(`${length} ${column}`) ?? [];
    const means = facts.models.map((_, run) => mean(found.map(({ answers }) => answers[run].value)));
    if (found.length === 0) return element("td", {}, [""]);
    const isChosen = state.length === String(length) && state[by] === String(column);
    const changes = isChosen ? { length: "", [by]: "" } : { length: String(length), [by]: String(column) };
    const link = element("a", {
      href: hashOf({ ...changes, page: "" }),
      ...(isChosen ? { "aria-current": "true" } : {}),
    }, [
      element("b", {}, [means.map(percent).join(" | ")]),
      element("small", {}, [`n=${found.length}`]),
    ]);
    const made = element("td", {}, [link]);
    const [first, second] = means;
    const change = isPair && second !== null ? 0.5 + (second - first) / 2 : first;
    const level = first === null ? 0.5 : change;
    made.style.setProperty("--level", `${Math.round(100 * level)}%`);
    return made;
  };
  const otherWay = by === "task" ? "depth" : "task";
  const canSwitch = { task: hasTasks, depth: hasDepth }[otherWay];
  // Tasks have long names, so they are the rows.
  const head = (scope, value, write) => element("th", { scope }, [visible(write(value))]);
  const [across, down] = by === "task" ? [lengths, columns] : [columns, lengths];
  const [writeAcross, writeDown] = by === "task" ? [lengthText, text] : [text, lengthText];
  const table = element("table", {}, [
    element("caption", {}, [
      `Mean score by length and ${by}${isPair ? ` (${facts.models.join(" | ")})` : ""}; a click filters. `,
      ...(canSwitch ? [element("a", { href: hashOf({ by: otherWay }) }, [`Show by ${otherWay}`])] : []),
    ]),
    element("thead", {}, [
      element("tr", {}, [element("td"), ...across.map((value) => head("col", value, writeAcross))]),
    ]),
    element(
      "tbody",
      {},
      down.map((value) =>
        element("tr", {}, [
          head("row", value, writeDown),
          ...across.map((other) => by === "task" ? cell(other, value) : cell(value, other)),
        ])
      ),
    ),
  ]);
  overview.replaceChildren(element("div", { class: "wide" }, [table]));
}

// List

const list = element("section", { id: "list", "aria-label": "Samples" });
let listed = [];

function scoreBadge({ value, verdict }) {
  return element("span", { class: `score ${verdict.replaceAll(" ", "-")}`, title: verdict }, [percent(value)]);
}

function preview({ text }) {
  return visible(text.slice(0, 160).replace(/\s+/g, " ").trim());
}

function drawList() {
  const pages = Math.max(1, Math.ceil(listed.length / PAGE_ROWS));
  const page = Math.min(pages, Math.max(1, Number(state.page ?? 1) || 1));
  const heads = SORTS.map(({ id, label }) => {
    const isUsed = (state.sort ?? "").replace("-", "") === id;
    const isFalling = (state.sort ?? "").startsWith("-");
    const next = isUsed && !isFalling ? `-${id}` : id;
    const order = isUsed ? { "aria-sort": isFalling ? "descending" : "ascending" } : {};
    return element("th", { scope: "col", class: `column-${id || "sample"}`, ...order }, [
      element("a", { href: hashOf({ sort: next, page: "" }) }, [label]),
    ]);
  });
  const shown = listed.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((row) => {
    const isOpen = state.s === row.key;
    const link = element("a", { href: hashOf({ s: row.key }) }, [
      visible(`${row.task} ${row.index}${row.repeat > 0 ? `, repeat ${row.repeat}` : ""}`),
    ]);
    const failure = row.answers.map(classText).filter((name) => name !== "none").join(" | ");
    const made = element("tr", isOpen ? { "aria-current": "true" } : {}, [
      element("td", { class: "column-sample" }, [link]),
      element("td", { class: "column-length" }, [lengthText(row.length)]),
      element("td", { class: "column-depth" }, [row.depth === null ? "–" : `${Math.round(100 * row.depth)}%`]),
      ...row.answers.map((answer) => element("td", {}, [scoreBadge(answer)])),
      element("td", { class: "column-latency" }, [`${(row.answers[0].latency / 1000).toFixed(1)} s`]),
      element("td", { class: "column-failure" }, [failure]),
      element("td", { class: "column-reply", dir: "auto" }, [preview(row.answers[0])]),
    ]);
    made.addEventListener("click", ({ target }) => target.closest("a") ?? link.click());
    return made;
  });
  const step = (label, to) =>
    to < 1 || to > pages ? label : element("a", { href: hashOf({ page: to === 1 ? "" : String(to) }) }, [label]);
  const table = element("table", {}, [
    element("thead", {}, [
      element("tr", {}, [
        ...heads,
        element("th", { scope: "col", class: "column-failure" }, ["Failure"]),
        element("th", { scope: "col", class: "column-reply" }, ["Reply"]),
      ]),
    ]),
    element("tbody", {}, shown),
  ]);
  list.replaceChildren(
    table,
    ...(pages === 1 ? [] : [
      element("nav", { "aria-label": "Pages" }, [
        step("Previous", page - 1),
        ` page ${page} of ${pages} `,
        step("Next", page + 1),
      ]),
    ]),
  );
}

// One sample

const detail = element("section", { id: "detail", "aria-label": "Sample", tabindex: "-1" });

/** A text with stretches marked: [from, to, kind], in order. */
function marked(text, marks) {
  const parts = [];
  let at = 0;
  for (const [from, to, kind] of marks) {
    if (from > at) parts.push(visible(text.slice(at, from)));
    parts.push(element("mark", { class: kind, title: kind }, [visible(text.slice(from, to))]));
    at = to;
  }
  parts.push(visible(text.slice(at)));
  return parts;
}

/** Finds values in a text, in any case; the longest at a place wins. */
function findValues(text, kinds) {
  const known = new Map(kinds.flatMap(([kind, values]) => values.map((value) => [value.trim().toLowerCase(), kind])));
  known.delete("");
  if (known.size === 0) return [];
  const values = [...known.keys()].sort((left, right) => right.length - left.length);
  const pattern = new RegExp(values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu");
  return [...text.matchAll(pattern)].map((
    { 0: found, index },
  ) => [index, index + found.length, known.get(found.toLowerCase()) ?? kinds[0][0]]);
}

function answerSection(row, run) {
  const { text, lines, modes, thinking } = row.answers[run];
  const lower = text.toLowerCase();
  const given = modes.flatMap(([, , values]) => values);
  const wanted = row.wanted.map((value) => {
    const isFound = lower.includes(value.toLowerCase());
    return element("li", { class: isFound ? "found" : "missed", dir: "auto" }, [
      `${isFound ? "✓" : "✗"} ${visible(value)}`,
    ]);
  });
  const rowsOf = [...lines, ...modes.map(([name, why]) => ["Failure", `${name} (${facts.meanings[name]}): ${why}`])];
  const marks = findValues(text, [["given", given], ["answer", row.wanted]]);
  return element("section", {}, [
    ...(isPair ? [element("h3", {}, [facts.models[run]])] : []),
    element("h4", {}, ["Wanted"]),
    element("ul", { class: "wanted" }, wanted),
    element("h4", {}, ["Reply ", scoreBadge(row.answers[run])]),
    element("pre", { dir: "auto", tabindex: "0" }, text === "" ? [element("i", {}, ["(empty)"])] : marked(text, marks)),
    ...(thinking === "" ? [] : [
      element("details", {}, [
        element("summary", {}, ["Thinking"]),
        element("pre", { dir: "auto" }, [visible(thinking)]),
      ]),
    ]),
    element(
      "table",
      { class: "lines" },
      rowsOf.filter(([what]) => what !== "Wanted").map(([what, said]) =>
        element("tr", {}, [element("th", { scope: "row" }, [what]), element("td", { dir: "auto" }, [visible(said)])])
      ),
    ),
  ]);
}

const MAX_DIFF_WORDS = 3000;

/** The words of two texts as runs that are in both, in the first or in the second alone: [where, text]. */
function diffWords(one, two) {
  const [left, right] = [one, two].map((text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  if (Math.max(a.length, b.length) > MAX_DIFF_WORDS) return undefined;
  // Length of the longest common subsequence from each place on.
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j]
        ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const parts = [["both", left.slice(0, start).join("")]];
  const add = (where, word) => parts.at(-1)[0] === where ? parts.at(-1)[1] += word : parts.push([where, word]);
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) add("both", a[i++] && b[j++]);
    else if (j === b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      add("first", a[i++]);
    } else add("second", b[j++]);
  }
  add("both", end === 0 ? "" : left.slice(-end).join(""));
  return parts;
}

function diffSection({ answers: [one, two] }) {
  const parts = one.text === two.text ? [] : diffWords(one.text, two.text);
  const tags = { first: "del", second: "ins" };
  const shown = parts?.map(([where, text]) =>
    where === "both" ? visible(text) : element(tags[where], {}, [visible(text)])
  );
  const text = parts === undefined
    ? "The replies are too long for a comparison word by word."
    : "The replies are the same.";
  return element("section", { class: "diff" }, [
    element("h4", {}, [
      "Differences: ",
      element("del", {}, [facts.models[0]]),
      " ",
      element("ins", {}, [facts.models[1]]),
    ]),
    shown?.length > 0 ? element("pre", { dir: "auto" }, shown) : element("p", { class: "quiet" }, [text]),
  ]);
}

/** Quotes a word for a shell. */
function shellWord(word) {
  return /^[\w./,:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function findPrompt(row) {
  const block = document.getElementById(`prompt-${row.at}`);
  if (block !== null) return { parts: await unpack(block), why: "" };
  if (row.why !== "" || !facts.isServed) return { parts: null, why: row.why };
  const answer = await fetch(`prompt/${row.at}`).then((response) => response.json(), (error) => ({ error }));
  if (answer.error !== undefined) return { parts: null, why: `fathom view does not answer: ${answer.error.message}` };
  row.answers.forEach((each, run) => each.modes = answer.modes[run]);
  return answer;
}

/** Shows the prompt of a sample: shortened around its marks, or whole. */
function promptSection(row, { parts, why }) {
  const section = element("section", { class: "prompt" });
  if (parts === null) {
    const { task, length, index, repeat } = row;
    const place = Object.entries({ task, length, index, repeat }).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const commands = [
      ["fathom", "show", facts.names[0], ...place, "--prompt"],
      ["fathom", "view", ...facts.names, "--serve"],
    ].map((words) => visible(words.map(shellWord).join(" ")));
    section.append(
      element("h4", {}, ["Prompt"]),
      element("p", {}, [
        why === ""
          ? "It is not in this page. To see it, or every prompt here:"
          : `It cannot be shown: ${visible(why)}.`,
      ]),
      ...(why === "" ? [element("pre", {}, [commands.join("\n")])] : []),
    );
    return section;
  }
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  const kinds = new Set(parts.flatMap(({ marks }) => marks.map(([, , kind]) => kind)));
  const whole = element("button", { type: "button", "aria-pressed": "false" }, ["Whole prompt"]);
  const next = element("button", { type: "button" }, ["Next fact"]);
  const body = element("div");
  const draw = (isWhole) => {
    whole.setAttribute("aria-pressed", String(isWhole));
    const shown = [];
    let skipped = 0;
    const endGap = () => {
      if (skipped > 0) {
        shown.push(
          element("p", { class: "gap" }, [`… ${skipped.toLocaleString("en-US")} characters in between …`]),
        );
      }
      skipped = 0;
    };
    for (const { role, text, marks, kept } of parts) {
      const stretches = isWhole ? [[0, text.length]] : kept;
      if (stretches.length === 0) {
        skipped += text.length;
        continue;
      }
      endGap();
      const pieces = [];
      let at = 0;
      const gapTo = (to) => {
        if (to > at) {
          pieces.push(element("span", { class: "gap" }, [`… ${(to - at).toLocaleString("en-US")} characters …`]));
        }
      };
      for (const [from, to] of stretches) {
        gapTo(from);
        const inside = marks.filter((mark) => mark[1] > from && mark[0] < to)
          .map(([start, end, kind]) => [Math.max(start, from) - from, Math.min(end, to) - from, kind]);
        pieces.push(...marked(text.slice(from, to), inside));
        at = to;
      }
      gapTo(text.length);
      if (role !== "template") {
        shown.push(element("h5", {}, [`${role}, ${text.length.toLocaleString("en-US")} characters`]));
      }
      shown.push(element("pre", { class: role.replace(" ", "-"), dir: "auto", tabindex: "0" }, pieces));
    }
    endGap();
    body.replaceChildren(...shown);
  };
  whole.addEventListener("click", () => draw(whole.getAttribute("aria-pressed") === "false"));
  let jump = 0;
  next.addEventListener("click", () => {
    const found = body.querySelectorAll("mark.target, mark.answer, mark.given");
    if (found.length > 0) found[jump++ % found.length].scrollIntoView({ block: "center" });
  });
  const words = { answer: "wanted answer", given: "answer given" };
  const legend = [...kinds].map((kind) => element("mark", { class: kind }, [words[kind] ?? kind]));
  section.append(
    element("h4", {}, [`Prompt, ${characters.toLocaleString("en-US")} characters `]),
    element("p", { class: "tools" }, [whole, next, ...legend]),
    body,
  );
  draw(false);
  return section;
}

async function drawDetail(row) {
  document.body.classList.toggle("has-sample", row !== undefined);
  if (row === undefined) return detail.replaceChildren();
  const at = listed.indexOf(row);
  const step = (label, other) =>
    other === undefined ? label : element("a", { href: hashOf({ s: other.key }) }, [label]);
  const draw = (prompt) =>
    detail.replaceChildren(
      element("nav", { "aria-label": "Sample" }, [
        element("a", { href: hashOf({ s: "" }) }, ["Close"]),
        " · ",
        step("Previous", at < 0 ? undefined : listed[at - 1]),
        " · ",
        step("Next", listed[at + 1]),
        " · ",
        element("a", { href: `#${new URLSearchParams({ s: row.key })}` }, ["Link to this sample"]),
      ]),
      element("h2", {}, [visible(placeText(row))]),
      element("p", { class: "quiet id" }, [visible(row.id)]),
      element("div", { class: "replies" }, row.answers.map((_, run) => answerSection(row, run))),
      ...(isPair ? [diffSection(row)] : []),
      prompt,
    );
  draw(element("p", { class: "quiet" }, ["Making the prompt …"]));
  const found = await findPrompt(row);
  if (rowOfKey.get(state.s) === row) draw(promptSection(row, found));
}

// All together

let drawn = "";

function draw() {
  readState();
  search.value = document.activeElement === search ? search.value : state.q ?? "";
  for (const [id, select] of menus) select.value = state[id] ?? "";
  const row = rowOfKey.get(state.s);
  const { s: _, page, ...view } = state;
  const key = JSON.stringify(view);
  if (key !== drawn) {
    listed = sorted(filtered());
    drawn = key;
  }
  // The links of both keep the open sample, so they are drawn again each time.
  drawOverview();
  const open = row === undefined ? -1 : listed.indexOf(row);
  if (open >= 0 && page === undefined) state.page = String(Math.floor(open / PAGE_ROWS) + 1);
  drawList();
  count.textContent = `${listed.length.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")} samples`;
  drawDetail(row);
}

/** Opens the next or the previous sample of the list. */
function move(by) {
  if (listed.length === 0) return;
  const at = listed.indexOf(rowOfKey.get(state.s));
  const to = at < 0 ? 0 : Math.min(listed.length - 1, Math.max(0, at + by));
  go({ s: listed[to].key, page: "" });
}

addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (key === "Escape" && state.s !== undefined) return go({ s: "" });
  if (target.closest("input, select, textarea")) return;
  const inList = target.closest("#list") !== null;
  if (key === "j" || (inList && key === "ArrowDown")) move(1);
  else if (key === "k" || (inList && key === "ArrowUp")) move(-1);
  else if (key === "/") search.focus();
  else return;
  event.preventDefault();
});

addEventListener("hashchange", () => {
  const before = state.s;
  const hadFocus = list.contains(document.activeElement);
  draw();
  const current = list.querySelector("[aria-current] a");
  current?.scrollIntoView({ block: "nearest" });
  if (hadFocus) current?.focus({ preventScroll: true });
  else if (state.s !== undefined && state.s !== before) detail.focus({ preventScroll: true });
});

start();

async function start() {
  await readRows();
  const filters = makeFilters();
  document.getElementById("plain").remove();
  document.querySelector("main").append(filters, count, element("div", { class: "panes" }, [overview, list, detail]));
  draw();
  document.body.classList.add("is-ready");
}
