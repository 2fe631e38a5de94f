import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { findReady, makeProject, named } from "../e2e/_project.ts";
import { withFolder } from "../_folder.ts";
import { code, notebook, prose, tagged } from "./_cells.ts";
import type { JsonObject } from "@/lib/jupyter/notebook.ts";
import { findBrowser, withPictures, writeReport } from "@/lib/jupyter/report.ts";

Deno.test("findBrowser() returns the first browser of the PATH, then of the usual places", async () => {
  await withFolder({ "late/chromium": "", "early/google-chrome": "", "app/Chrome": "" }, async (folder) => {
    equal(await findBrowser(`${folder}/none:${folder}/early:${folder}/late`, []), `${folder}/early/google-chrome`);
    equal(await findBrowser(`${folder}/none`, [`${folder}/app/Chrome`]), `${folder}/app/Chrome`);
  });
});

Deno.test("findBrowser() names packages to install if there is none", async () => {
  await rejects(findBrowser("/nowhere", []), {
    message: /^Cannot print a PDF as Chromium, Chrome or Edge must be on the PATH: .*apt install chromium/,
  });
});

const shows = (data: JsonObject) => ({ outputs: [{ "output_type": "display_data", data, metadata: {} }] });
const BARS = { mark: "bar", encoding: { x: { field: "a" } }, data: { values: [{ a: "few" }] } };

Deno.test.each([
  ["vegalite.v5", BARS, {}, /^<svg.*>few</s],
  ["vegalite.v4.8.1", BARS, { "text/plain": "alt.Chart" }, /few/],
  ["vegalite.v6", { mark: 7 }, {}, /^Cannot draw .*\.v6\+json\)/],
  ["vegalite.v5", { ...BARS, data: { url: "a.csv" } }, {}, /own data/],
  ["vega.v5", BARS, {}, /be Vega-Lite/],
  ["vegalite.v5", BARS, { "image/png": "AA" }, /^AA$/],
] as [string, JsonObject, JsonObject, RegExp][])(
  "a report draws a chart of %s or says why not: %o, %o",
  async (...row) => {
    const [kind, spec, others, shown] = row;
    const chart = code("chart;", shows({ [`application/vnd.${kind}+json`]: spec, ...others }));
    const { cells: [cell] } = await withPictures(notebook(chart));
    const data = cell!.outputs[0]!["data"] as JsonObject;
    match(String(data["image/svg+xml"] ?? data["image/png"] ?? data["text/plain"]), shown);
  },
);

const jupyter = await findReady("run");
const missing = { "Jupyter is not set up; deno task setup does it": jupyter === undefined };

const ran = notebook(
  prose("# Does it read?"),
  tagged("parameters", 'const model = "a|b"; // a name'),
  code("draw();", shows({ "image/svg+xml": "<svg/>", "text/plain": "Falls [fast]\nMeasured" })),
  code("table;", shows({ "text/html": "<table>", "text/plain": "a" })),
  code("say();", {
    outputs: [{ "output_type": "stream", name: "stdout", text: "```\n<script>1</script>\u001b[31m!\n" }],
  }),
);

Deno.test({
  name: named("writeReport() writes a page with its code and origin", missing),
  ignore: jupyter === undefined,
  fn: async () => {
    const project = await makeProject(jupyter!, {});
    const report = "results/reports/01 board.html";
    deepEqual(await writeReport(ran, { ...project, name: "01-board", report }), [report]);
    const text = await Deno.readTextFile(`${project.folder}/${report}`);
    match(text, /<h1 id="Does-it-read\?">Does it read\?/);
    match(text, /&lt;script&gt;1&lt;\/script&gt;/);
    match(text, /<td>deno task reproduce -- --only 01<\/td>/);
    match(text, /<details class="code"/);
    await project.remove();
  },
});
