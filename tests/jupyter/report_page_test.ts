import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import type { JsonObject } from "@/lib/jupyter/notebook.ts";
import { injectParameters } from "@/lib/jupyter/parameters.ts";
import {
  answerOf,
  claimCounts,
  originOf,
  originsIn,
  questionOf,
  RUN_TYPE,
  runCards,
} from "@/lib/jupyter/report_facts.ts";
import { indexPage } from "@/lib/jupyter/report_index.ts";
import { finishPage } from "@/lib/jupyter/report_page.ts";
import { table } from "@/lib/figures/mod.ts";
import { createHash } from "node:crypto";
import { smallLines } from "../figures/_figures.ts";

const shows = (data: JsonObject) => code("", { outputs: [{ "output_type": "display_data", data }] });
const card = {
  ...{ run: "01-board-sim:ideal", model: "sim:ideal", origin: "simulated", suite: "ruler-2", samples: 6 },
  ...{ sha256: "0123456789abcdef", seed: "42", tokenizer: "cl100k_base" },
};
const CLAIMS = (origin: string): string =>
  `Section 5, asked of it\n${origin} · 3 claims stated in the source: 1 holds, 4 mostly hold, 2 fail, 0 cannot tell; 1 check of ours: 1 holds, 0 fail, 0 cannot tell\n\nid`;
const ran = notebook(
  prose("# Does it read?\n\n> Yes, **mostly**.\n> See [there](x.md).\n\nMore."),
  tagged(
    "parameters",
    'const model = "sim:ideal"; // a name\nconst url = "http://a/b"; // an address\nconst samples = 3;',
  ),
  shows({ "text/plain": CLAIMS("Published") }),
  shows({ "text/plain": CLAIMS("Simulated") }),
  shows({ "text/plain": "line", [RUN_TYPE]: card }),
  shows({ "text/plain": "again", [RUN_TYPE]: card }),
);
const source = { name: "01-board", version: "0.1.0", commit: "abc1234", made: new Date("2026-01-02T03:04:05Z") };

Deno.test("a notebook that ran tells its question, answer, claims, origins and runs", () => {
  equal(questionOf(ran), "Does it read?");
  equal(answerOf(ran), "Yes, **mostly**.\nSee [there](x.md).");
  const counted = { title: "Section 5, asked of it", holds: 1, mostly: 4, fails: 2, open: 0 };
  deepEqual(claimCounts(ran), [{ ...counted, origin: "Published" }, { ...counted, origin: "Simulated" }]);
  deepEqual(originsIn(ran), ["published", "simulated"]);
  deepEqual(runCards(ran), [card]);
});

Deno.test("a figure is drawn for wide and narrow pages, and a picture of another origin stays as it is", async () => {
  const figure = smallLines();
  const other = '<figure class="chart"><div class="narrow wide"><svg></svg></div></figure>';
  const page = await finishPage(`${outputOf(figure.pageSpec())}${outputOf({ mark: "none of all" })}`);
  match(page, /<figcaption><strong>B forgets sooner<\/strong>.*<div class="narrow">.*<div class="wide">/s);
  match(page, /<path[^>]*><title>A, 4K: 96\.6 \(94\.0 to 98\.5\)<\/title>/);
  equal(page.endsWith(other), true);
  doesNotMatch(page, /vegalite/);
});

/** An output of nbconvert. */
function outputOf(spec: unknown): string {
  const text = JSON.stringify(spec).replaceAll("<", "\\u003c");
  return `<figure class="chart"><div class="narrow wide"><svg></svg></div>\n<script type="application/vnd.vegalite.v5+json">${text}</script></figure>`;
}

Deno.test("originOf() returns version, time, command, runs and parameters", () => {
  const { facts, tables } = originOf(ran, source);
  deepEqual(facts, [
    ["Notebook", "notebooks/01-board.ipynb"],
    ["Made", "2026-01-02 03:04 UTC"],
    ["Fathom", "0.1.0, commit abc1234"],
    ["Make it again", "deno task reproduce -- --only 01"],
  ]);
  match(JSON.stringify(tables), /"Hash".*"0123456789ab".*"title":"Parameters".*\["samples","3"\]/);
  const changed = originOf(injectParameters(ran, { model: "a b", samples: "5" }), source);
  deepEqual(Object(changed["facts"])[3][1], "deno task reproduce -- --only 01 --set 'model=a b' --set samples=5");
  match(JSON.stringify(changed["tables"]), /\["samples","5 \(changed\)"\]/);
});

Deno.test("the index shows each report's question, answer and verdicts, and no text of it is markup or script", async () => {
  const [first, ...others] = ran.cells;
  const hostile = notebook({ ...first!, source: first!.source.replace("Does it read?", "<b>?</b>") }, ...others);
  const page = await indexPage([{ file: "01-board.model=x.html", notebook: hostile, hasPdf: true }]);
  match(page, /<a href="01-board.model%3Dx.html">&lt;b&gt;\?&lt;\/b&gt;<\/a>/);
  match(page, /<p>Yes, mostly\.\nSee there\.<\/p>/);
  match(
    page,
    /Claims \(simulated\): <span[^>]*good\)">✓ 1 holds<\/span><span[^>]*good\)">≈ 4 mostly hold<\/span><span[^>]*bad\)">✗ 2 fail<\/span><span[^>]*open\)">\? 0 cannot/,
  );
  match(page, /Also as <a href="01-board\.model%3Dx\.pdf">PDF<\/a>/);
  match(page, /<code>model=x<\/code>/);
  match(POLICY.exec(page)![1]!, /^default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; img-src data:/);
  doesNotMatch(page, /<script/);
});

const TABLE = (rows: number): string =>
  table(Array.from({ length: rows }, (_, at) => ({ at, name: "</table>" })), {
    ...{ title: "Rows", caption: "Each.", origin: "measured", n: 1 },
    columns: [{ field: "at", label: "At" }, { field: "name", label: "Name" }],
  }).html;

Deno.test("a table of more than ten rows is folded", async () => {
  const page = await finishPage(`${TABLE(10)}${TABLE(12)}`);
  equal(page.match(/<div class="rows"/g)?.length, 2);
  deepEqual(page.match(/<label>.*?<\/label>/g), ['<label><input type="checkbox"> Show all 12 rows</label>']);
});

Deno.test("a page with Chinese text embeds a font with its characters alone", async () => {
  const page = (text: string): Promise<string> => finishPage(`<style>/* fonts */</style><p>${text}</p>`);
  const shown = await page("小企鹅数了15颗★");
  const faces = [...shown.matchAll(/url\(data:font\/woff;base64,([^)]+)\); unicode-range: ([^;]+);/g)];
  deepEqual(
    faces.flatMap(([, , range]) => range!.split(",")).sort(),
    [..."小企鹅数了颗"].map((character) => `U+${character.codePointAt(0)!.toString(16)}`).sort(),
  );
  equal(atob(faces[0]![1]!).slice(0, 4), "wOFF");
  ok(shown.length < 30_000);
  doesNotMatch(await page("plain"), /font-face/);
});

const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;

Deno.test("a report runs one script, known by its hash", async () => {
  const hostile = { ...smallLines().pageSpec(), description: "</script><b>" };
  const page = await finishPage(`<!-- script -->${outputOf(hostile)}<!-- script -->`);
  const scripts = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];
  deepEqual(scripts.map(([, attributes]) => attributes), [' type="module"']);
  const hash = createHash("sha256").update(scripts[0]![2]!).digest("base64");
  match(POLICY.exec(page)![1]!, new RegExp(`script-src 'sha256-${hash.replaceAll(/[+/]/g, "\\$&")}';`));
});

Deno.test("originOf() lists real models with server, weights and machine, and names unknown ones", () => {
  const real = { ...card, run: "measured/m/ruler", origin: "measured", study: "RULER, quick", asked: "2026-11-22" };
  const three = notebook(
    shows({ [RUN_TYPE]: { ...real, server: "llama.cpp b1", weights: "m.gguf, Q4", machine: "EPYC, 2 cores, linux" } }),
    shows({ [RUN_TYPE]: { ...real, run: "mine", server: "http://127.0.0.1:8000/v1" } }),
    shows({ [RUN_TYPE]: card }),
  );
  const [runs, asked, ...others] = Object(originOf(three, source)["tables"]);
  equal(runs.rows[0][2], "RULER, quick");
  deepEqual([asked.title, others], ["How real models were asked", []]);
  deepEqual(asked.rows, [
    ["measured/m/ruler", "2026-11-22", "llama.cpp b1", "m.gguf, Q4", "EPYC, 2 cores, linux"],
    ["mine", "2026-11-22", "http://127.0.0.1:8000/v1", "not known", "not known"],
  ]);
});
