import { deepEqual, equal, match } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { code, notebook } from "./_cells.ts";
import { JUPYTER_DISPLAY } from "@/lib/figures/mod.ts";
import { withReportForms } from "@/lib/jupyter/explore.ts";
import { explore, thresholdSlider } from "@/lib/jupyter/mod.ts";
import type { JsonObject } from "@/lib/jupyter/notebook.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { publishedBoard } from "@/lib/papers/ruler/published_leaderboard.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { runReport } from "@/lib/reports/mod.ts";
import { effectiveLengthBoard, RULER_THRESHOLD, type ScoreRow } from "@/lib/statistics/mod.ts";

type Output = Awaited<ReturnType<typeof explore>>;

async function bundleOf(output: Output): Promise<JsonObject> {
  return await output[JUPYTER_DISPLAY]() as JsonObject;
}

const inText = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll(
    "&amp;",
    "&",
  );

Deno.test("explore() shows a page without an origin of its own, and in a report a link to that of all runs", async () => {
  const [run] = await openMeasured({ benchmark: "cdme" });
  const bundle = await bundleOf(await explore([run!]));
  const html = String(bundle["text/html"]);
  equal(bundle["text/plain"], "The 270 replies of measured/gemma-3-270m/cdme");
  match(html, /^<p><strong>The 270 replies of .*<iframe title="[^"]*" sandbox="allow-scripts" /);
  const page = inText(/ srcdoc="([^"]*)"/.exec(html)![1]!);
  match(page, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  // All but the rows takes at most 400 KB.
  const rows = page.match(/class="rows">[^<]*/g)!.join("").length;
  equal(page.length - rows < 400_000, true, `${page.length - rows}`);
  const shown = withReportForms(notebook(code("", { outputs: [{ "output_type": "execute_result", data: bundle }] })));
  const [output] = shown.cells[0]!.outputs;
  match(String((output!["data"] as JsonObject)["text/html"]), /^<p><a href="#replies">The 270 replies of .*<\/a>/);
});

Deno.test("explore() writes a page that is too large for a notebook beside the reports, and links it", async () => {
  await inFolder(async (folder) => {
    const runs = await openMeasured({ benchmark: "cdme" });
    const { "text/html": html } = await bundleOf(await explore(runs, { most: 10, folder }));
    const [, file] = /^<p><a href="([^"]*)">The \d+ replies of /.exec(String(html))!;
    match(await Deno.readTextFile(file!), /^<!DOCTYPE html>[^]*class="rows"/);
  });
});

Deno.test("thresholdSlider() has the scores of the tables: at 85.6 the same effective lengths and sets, for runs too", async () => {
  const { rows } = await openPublished();
  const table3 = rows.filter(({ edition, table }) => edition === "v1" && table === 3);
  const runs = await openMeasured({ benchmark: "ruler" });
  const { "text/html": html, "text/plain": text } = await bundleOf(await thresholdSlider(table3, runs));
  equal(text, "Effective lengths by any threshold: published and measured");
  const page = inText(/ srcdoc="([^"]*)"/.exec(String(html))![1]!);
  const shown: (ScoreRow & { readonly model: string })[] = JSON.parse(inText(/data-rows="([^"]*)"/.exec(page)![1]!));
  const board = effectiveLengthBoard(
    Array.from(
      Map.groupBy(shown, ({ model }) => model),
      ([model, rows]) => ({ model, rows, threshold: RULER_THRESHOLD }),
    ),
  );
  const lengthsOf = ({ found, range }: (typeof board)[number]): string => `${found}, ${range}`;
  const expected = [...publishedBoard(table3), ...runs.flatMap((run) => runReport(run).board.slice(0, 1))];
  deepEqual(board.map(lengthsOf), expected.map(lengthsOf));
  equal(lengthsOf(board.find(({ model }) => model.startsWith("Mixtral"))!), "32K, 16K to 32K");
});
