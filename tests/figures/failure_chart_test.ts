import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { markLabels as tooltips, writtenTexts } from "./_read_svg.ts";
import { FAILURE_COLOURS } from "@/lib/figures/failure_chart.ts";
import { failureChart } from "@/lib/figures/mod.ts";
import { type ExplainedReply, FAILURE_CLASSES, type FailureClass, failureRows } from "@/lib/statistics/failures/mod.ts";

/** The first line of each tooltip. */
function markLabels(svg: string): string[] {
  return tooltips(svg).map((text) => text.split("&#xA;")[0]!);
}

function replies(count: number, length: number, way?: FailureClass, task = "vt"): ExplainedReply[] {
  const modes = way === undefined ? [] : [{ class: way, why: "so it is", evidence: [] }];
  return Array(count).fill({ task, length, value: way === undefined ? 1 : 0, failed: way === "failed call", modes });
}

const ROWS = failureRows([
  ...replies(6, 4096),
  ...replies(2, 4096, "loop"),
  ...replies(4, 8192, undefined, "cwe"),
  ...replies(1, 8192, "empty", "cwe"),
  ...replies(4, 8192, "loop"),
]);

Deno.test("failureChart() draws a bar for each length with a part for each failure class, all tasks pooled", async () => {
  const figure = failureChart(ROWS, { origin: "simulated" });
  const svg = await figure.svg();
  const labels = markLabels(svg).filter((label) => /, (?:loop|empty): /.test(label));
  deepEqual(labels.toSorted(), ["4K, empty: 0", "4K, loop: 25", "8K, empty: 11.1", "8K, loop: 44.4"]);
  equal(figure.title, "7 of 17 replies failed wholly or in part, most of them by loop (6) and empty (1)");
  match(figure.note, /Simulated · n = 8 to 9 replies per bar/);
  ok(writtenTexts(svg).includes("Failure"));
});

Deno.test("failureChart() draws a bar for each task as well", async () => {
  const svg = await failureChart(ROWS, { origin: "measured", by: "task", title: "Loops" }).svg();
  const labels = markLabels(svg).filter((label) => /, (?:loop|empty): /.test(label));
  deepEqual(labels.toSorted(), ["cwe, empty: 20", "cwe, loop: 0", "vt, empty: 0", "vt, loop: 50"]);
});

Deno.test("failureChart() gives each failure class its own colour, whatever else is drawn", async () => {
  const alone = await failureChart(failureRows(replies(1, 4096, "loop")), { origin: "measured" }).svg();
  const among = await failureChart(ROWS, { origin: "measured" }).svg();
  for (const svg of [alone, among]) ok(svg.toLowerCase().includes(FAILURE_COLOURS.loop));
  deepEqual(Object.keys(FAILURE_COLOURS), [...FAILURE_CLASSES]);
  equal(new Set(Object.values(FAILURE_COLOURS)).size, FAILURE_CLASSES.length);
});

Deno.test("failureChart() shows that there is no failure, and failures that could not be explained", async () => {
  const none = failureChart(failureRows(replies(3, 4096)), { origin: "measured" });
  equal(none.title, "None of 3 replies failed");
  ok(markLabels(await none.svg()).includes("4K, none: 0"));
  const unexplained = failureRows([{ task: "vt", length: 4096, value: 0, failed: false, modes: [] }]);
  const svg = await failureChart(unexplained, { origin: "measured" }).svg();
  ok(markLabels(svg).includes("4K, unexplained: 100"));
});

Deno.test("failureChart() refuses a run without replies", () => {
  const unscored = failureRows([{ task: "vt", length: 4096, value: null, failed: false, modes: [] }]);
  for (const rows of [[], unscored]) {
    throws(() => failureChart(rows, { origin: "measured" }), {
      name: "RangeError",
      message: /rows must hold at least one/,
    });
  }
});
