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
  ["alone", { "application/vnd.vegalite.v5+json": BARS }, "image/svg+xml", /^<svg.*>few</s],
  [
    "as another library shows it",
    { "application/vnd.vegalite.v4.8.1+json": BARS, "text/plain": "alt" },
    "image/svg+xml",
    /few/,
  ],
  [
    "that is no chart",
    { "application/vnd.vegalite.v6+json": { mark: 7 } },
    "text/plain",
    /^Cannot draw .*\.v6\+json\)/,
  ],
  [
    "whose data are elsewhere",
    { "application/vnd.vegalite.v5+json": { ...BARS, data: { url: "a.csv" } } },
    "text/plain",
    /own data/,
  ],
  ["of Vega", { "application/vnd.vega.v5+json": BARS }, "text/plain", /be Vega-Lite/],
  ["with a picture", { "application/vnd.vegalite.v5+json": BARS, "image/png": "AA" }, "image/png", /^AA$/],
] as [string, JsonObject, string, RegExp][])(
  "a report draws a chart %s, or says why not",
  async (_name, data, type, shown) => {
    const { cells: [cell] } = await withPictures(notebook(code("chart;", shows(data))));
    match(String((cell!.outputs[0]!["data"] as JsonObject)[type]), shown);
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
