import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import type { JsonObject, Notebook } from "@/lib/jupyter/notebook.ts";
import { injectParameters } from "@/lib/jupyter/parameters.ts";
import { RUN_TYPE } from "@/lib/jupyter/report_facts.ts";
import { withAnswer, withLead } from "@/lib/jupyter/report_lead.ts";

const output = (data: JsonObject): JsonObject => ({ "output_type": "display_data", data, metadata: {} });
const shows = (...data: readonly JsonObject[]) => code("", { outputs: data.map(output) });
const figure = (title: string): JsonObject => ({ "image/svg+xml": `<svg>${title}</svg>`, "text/plain": title });
const claims = (title: string, origin = "Published"): JsonObject => ({
  "text/html": title,
  "text/plain": `${title}\n${origin} · 2 claims stated in the source: 1 holds, 1 fails, 0 cannot tell\n`,
});
const card = (model: string, headline?: string): JsonObject => ({
  "text/plain": model,
  [RUN_TYPE]: {
    ...{ run: `run-of-${model}`, model, origin: "measured", suite: "ruler-2", samples: 6, sha256: "0", seed: "42" },
    ...{ tokenizer: "cl100k_base", ...(headline === undefined ? {} : { headline }) },
  },
});

const ran = notebook(
  prose("# Does it read?\n\n> By its numbers, **17** of 20.\n\nThe paper asks."),
  prose("1. A question"),
  tagged("parameters", 'const model = "sim:ideal";'),
  prose("Before.\n\n## 1. Published\n\nText."),
  shows(figure("As published"), claims("The paper")),
  prose("## 2. Yours"),
  shows(card("small"), card("my_model", "has an effective length of 64K by RULER's 85.6")),
  shows(figure("My model"), claims("Asked of mine", "Measured")),
);
const own = injectParameters(ran, { model: "my_model" });

/** Ids, tags and sources of the cells of a report. */
const shapeOf = ({ cells }: Notebook): readonly string[] =>
  cells.map(({ kind, source, outputs }) =>
    `${kind}: ${source || outputs.map(({ data }) => Object(data)["text/plain"])}`
  );

Deno.test("withLead() puts answer, counts, a figure and the claims first, then folds the sections", () => {
  const shape = shapeOf(withLead(ran));
  deepEqual(shape.slice(0, 5).map((cell) => cell.split("\n")[0]), [
    "markdown: # Does it read?",
    'raw: <p class="facts">Claims (published): <span style="--tone: var(--fathom-good)">✓ 1 holds</span><span style="--tone: var(--fathom-bad)">✗ 1 fails</span>' +
    '<span style="--tone: var(--fathom-open)">? 0 cannot tell</span><br>Claims (measured): <span style="--tone: var(--fathom-good)">✓ 1 holds</span>' +
    '<span style="--tone: var(--fathom-bad)">✗ 1 fails</span><span style="--tone: var(--fathom-open)">? 0 cannot tell</span><br>Numbers: published, measured</p>',
    "code: As published",
    "code: The paper",
    "markdown: The paper asks.",
  ]);
  const headings = withLead(ran).cells.filter(({ metadata }) => String(metadata["tags"]) === "heading");
  deepEqual(headings.map(({ source }) => source), ["## Questions and parameters", "## 1. Published", "## 2. Yours"]);
  equal(shape.filter((cell) => cell.startsWith('raw: <details class="section"><summary>')).length, 3);
  equal(shape.filter((cell) => cell === "raw: </details>").length, 3);
});

Deno.test("withLead() leaves a link where an output was, and folds no error away", () => {
  const failed = notebook(...ran.cells, code("x", { outputs: [{ "output_type": "error", ename: "Error" }] }));
  const { cells } = withLead(failed);
  const moved = cells.flatMap(({ outputs }) => outputs.map(({ data }) => String(Object(data)["text/html"])))
    .filter((html) => html.includes("at the top"));
  match(moved[0]!, /^<p><a href="#first-figure">As published<\/a>/);
  match(moved[1]!, /^<p><a href="#claims">The paper<\/a>/);
  deepEqual(
    cells.filter(({ source }) => source.startsWith("<details")).map(({ source }) => / open/.test(source)),
    [false, false, true],
  );
});

Deno.test("a tagged figure comes first; with other parameters, the first one of the runs under test", () => {
  const last = { ...ran.cells.at(-1)!, metadata: { tags: ["first-figure"] } };
  equal(shapeOf(withLead({ ...ran, cells: [...ran.cells.slice(0, -1), last] }))[2], "code: My model");
  deepEqual(shapeOf(withLead(own)).slice(2, 4).map((cell) => cell.split("\n")[0]), [
    "code: My model",
    "code: Asked of mine",
  ]);
});

Deno.test("with other parameters the answer is computed from the runs under test, and no other number remains", () => {
  equal(withAnswer(ran), ran);
  const [first] = withAnswer(own).cells;
  match(
    first!.source,
    /^# Does it read\?\n\n> - \*\*my\\_model\*\* \(measured\): has an effective length of 64K by RULER's 85\.6\. _run-of-my\\_model_\n\nThe paper asks\.$/,
  );
  const none = injectParameters(notebook(...ran.cells.slice(0, 5)), { model: "x" });
  match(withAnswer(none).cells[0]!.source, /\n> Run with other parameters: its figures and tables are below\.\n/);
});

Deno.test("an answer is the output of the cell that computes it, for other parameters if it is tagged so", () => {
  const says = (tag: string, text: string) => tagged(tag, "", { outputs: [output({ "text/markdown": text })] });
  const answered = notebook(...ran.cells, says("answer", "Now 18.\n\nOf 20."));
  match(withAnswer(answered).cells[0]!.source, /^# Does it read\?\n\n> Now 18\.\n>\n> Of 20\.\n\nThe paper/);
  doesNotMatch(withAnswer(injectParameters(answered, { model: "x" })).cells[0]!.source, /18|17/);
  const both = notebook(...ran.cells, says("own-answer", "Yours: 3."));
  match(withAnswer(injectParameters(both, { model: "x" })).cells[0]!.source, /> Yours: 3\.\n/);
});
