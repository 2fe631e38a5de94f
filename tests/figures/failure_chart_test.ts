import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { markLabels as tooltips, writtenTexts } from "./_read_svg.ts";
import { failureChart } from "@/lib/figures/mod.ts";
import { type ExplainedReply, type FailureClass, failureRows } from "@/lib/statistics/failures/mod.ts";

/** The first line of each tooltip. */
function markLabels(svg: string): string[] {
  return tooltips(svg).map((text) => text.split("\n")[0]!);
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
