import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import type { JsonObject } from "@/lib/jupyter/notebook.ts";
import { markdownReport } from "@/lib/jupyter/report_markdown.ts";

const shows = (data: JsonObject) => ({ outputs: [{ "output_type": "display_data", data }] });
const ran = notebook(
  prose("# Does it read?"),
  tagged("parameters", 'const model = "a|b"; // a name'),
  code("draw();", shows({ "image/svg+xml": "<svg/>", "text/plain": "Falls [fast]\nMeasured" })),
  code("table;", shows({ "text/html": "<table>", "text/markdown": "| a |", "text/plain": "a" })),
  code("say();", {
    outputs: [{ "output_type": "stream", name: "stdout", text: "```\n<script>1</script>\u001b[31m!\n" }],
  }),
);
const source = { name: "01-board", version: "0.1.0", commit: "abc1234", made: new Date("2026-01-02T03:04:05Z") };

Deno.test("a report as Markdown has prose, folded code, pictures beside it, tables, and what it was made from", () => {
  const { text, pictures } = markdownReport(ran, { ...source, folder: "01 board.files", withoutCode: false });
  deepEqual([...pictures], [["01 board.files/figure-1.svg", "<svg/>"]]);
  match(text, /^# Does it read\?\n\n<details>/);
  match(text, /!\[Falls \\\[fast\\\]\]\(01%20board\.files\/figure-1\.svg\)/);
  match(text, /\n\| a \|\n/);
  match(text, /```ts\ndraw\(\);\n```/);
  match(text, /\| Make it again \| `deno task reproduce -- --only 01` \|/);
  match(text, /\| `model` \| `"a\\\|b"` \|/);
});

Deno.test("what a cell printed stays text: its fence is longer than any in it, without colours", () => {
  const { text } = markdownReport(ran, { ...source, folder: "f", withoutCode: true });
  match(text, /\n````\n```\n<script>1<\/script>!\n````\n/);
  doesNotMatch(text, /details|draw\(\)/);
  equal(markdownReport(ran, { ...source, folder: "f", withoutCode: true }).text, text);
});
