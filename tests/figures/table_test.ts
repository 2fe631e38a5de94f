import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { keptIn } from "./_figures.ts";
import { JUPYTER_DISPLAY, table, type TableOptions } from "@/lib/figures/mod.ts";

interface Row {
  readonly model: string;
  readonly score: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const ROWS: readonly Row[] = Object.freeze([
  { model: "GPT-4", score: 91.58, low: 90.1, high: 92.9 },
  { model: "模型乙", score: null, low: 1, high: 2 },
  { model: "sim:gpt-4", score: 91.62, low: 90, high: 93 },
  { model: "weak", score: 0, low: null, high: null },
]);
const OPTIONS: TableOptions<Row> = {
  title: "Two lead",
  caption: "Mean of 13 tasks.",
  n: 500,
  origin: "simulated",
  interval: "95% interval in brackets",
  columns: [
    { field: "model", label: "Model" },
    { field: "score", label: "Score (%)", digits: 1, best: "highest", low: "low", high: "high" },
  ],
};

Deno.test("table() sets this text", () => {
  equal(
    table(ROWS, OPTIONS).text,
    `Two lead
Simulated · n = 500 · 95% interval in brackets

Model               Score (%)
---------  ------------------
GPT-4      91.6 [90.1, 92.9]*
模型乙                      –
sim:gpt-4  91.6 [90.0, 93.0]*
weak                      0.0

* best of its column

Mean of 13 tasks.
`,
  );
});

Deno.test("table() sets this HTML and this markdown", async (t) => {
  const { html, markdown } = table(ROWS, OPTIONS);
  await t.assertSnapshot(html, keptIn("table_test.ts.snap"));
  await t.assertSnapshot(markdown, keptIn("table_test.ts.snap"));
});

Deno.test("table() marks every value that prints as the best, and never a missing one", () => {
  const columns = [{ field: "score", label: "Score", best: "lowest" }] as const;
  match(table(ROWS, { ...OPTIONS, columns }).html, /<strong>0<\/strong>/);
  ok(!table([ROWS[1]!], { ...OPTIONS, columns }).text.includes("*"));
});

Deno.test("table() shows HTML first, then markdown, then text", () => {
  const shown = table(ROWS, OPTIONS);
  const bundle = shown[JUPYTER_DISPLAY]();
  deepEqual(bundle, { "text/html": shown.html, "text/markdown": shown.markdown, "text/plain": shown.text });
});

Deno.test("table() scrolls when it is long, and only then", () => {
  const rows = Array.from({ length: 26 }, () => ROWS[0]!);
  match(table(rows, OPTIONS).html, /max-height: 40em; overflow: auto/);
  ok(!table(rows.slice(1), OPTIONS).html.includes("max-height"));
});

Deno.test("table() writes a column by its own function", () => {
  const columns = [{
    field: "score",
    label: "Score",
    write: (value: unknown) => value === null ? "not run" : `${value}!`,
  }] as const;
  const { text } = table(ROWS, { ...OPTIONS, columns });
  match(text, /91\.58!/);
  match(text, /not run/);
});

Deno.test("table() shows any text as text, in HTML and in markdown", () => {
  const bare = (html: string): string[] => [...html.matchAll(/<\/?([^\s>]*)/g)].map(([, tag]) => tag!);
  const tags = "figure p strong br span div table thead tr th tbody td figcaption".split(" ");
  const hostile = fc.oneof(
    fc.string({ unit: ANY, maxLength: 40 }),
    fc.constantFrom(
      "</td><script>alert(1)</script>",
      `"><img src=x onerror=alert(1)>`,
      "| a | b |",
      "[x](javascript:alert(1))",
      "`code`",
    ),
  );
  fc.assert(
    fc.property(hostile, (model) => {
      const { html, markdown } = table([{ ...ROWS[0]!, model }], { ...OPTIONS, title: `T ${model}` });
      ok(bare(html).every((tag) => tags.includes(tag)), html);
      ok(!/(?<!\\)[<`[]/.test(markdown), markdown);
      const lines = markdown.split("\n").filter((line) => line.startsWith("|"));
      ok(lines.every((line) => line.match(/(?<!\\)\|/g)!.length === 3));
    }),
  );
});

Deno.test("table() refuses no rows, no columns and odd digits", () => {
  throws(() => table([], OPTIONS), /rows must hold at least one: current value is 0/);
  throws(() => table(ROWS, { ...OPTIONS, columns: [] }), /columns must hold at least one: current value is 0/);
  const columns = [{ field: "score", label: "S", digits: -1 }] as const;
  throws(() => table(ROWS, { ...OPTIONS, columns }), /digits of score must be a whole number from 0 to 20/);
});
