import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import type { JsonObject } from "@/lib/jupyter/notebook.ts";
import { injectParameters } from "@/lib/jupyter/parameters.ts";
import {
  answerOf,
  claimCounts,
  originsIn,
  questionOf,
  RUN_TYPE,
  runCards,
  withHeadline,
} from "@/lib/jupyter/report_facts.ts";
import { indexPage } from "@/lib/jupyter/report_index.ts";
import { finishPage } from "@/lib/jupyter/report_page.ts";
import { createHash } from "node:crypto";
import { smallLines } from "../figures/_figures.ts";

const shows = (data: JsonObject) => code("", { outputs: [{ "output_type": "display_data", data }] });
const card = {
  ...{ run: "01-board-sim:ideal", model: "sim:ideal", origin: "simulated", suite: "ruler-2", samples: 6 },
  ...{ sha256: "0123456789abcdef", seed: "42", tokenizer: "cl100k_base" },
};
const CLAIMS = (origin: string): string =>
  `Section 5, asked of it\n${origin} · 3 claims stated in the source: 1 holds, 2 fail, 0 cannot tell; 1 check of ours: 1 holds, 0 fail, 0 cannot tell\n\nid`;
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
  const counted = { title: "Section 5, asked of it", holds: 1, fails: 2, open: 0 };
  deepEqual(claimCounts(ran), [{ ...counted, origin: "Published" }, { ...counted, origin: "Simulated" }]);
  deepEqual(originsIn(ran), ["published", "simulated"]);
  deepEqual(runCards(ran), [card]);
});

Deno.test("with other parameters the answer gives way to what the run shows", () => {
  equal(withHeadline(ran), ran);
  const [first] = withHeadline(injectParameters(ran, { model: "mine" })).cells;
  match(first!.source, /^# Does it read\?\n\n> This notebook ran with other parameters/);
  match(first!.source, />\n> Shown: sim:ideal \(simulated, 6 samples of 01-board-sim:ideal\)\.\n>\n/);
  match(first!.source, /> Section 5, asked of it: 1 holds, 2 fail, 0 cannot tell\.\n\nMore\.$/);
  doesNotMatch(first!.source, /mostly/);
});

Deno.test("a page gets its contents from three headings on, and links to each", async () => {
  const heading = (level: number, id: string) =>
    `<h${level} id="${id}">${id} &amp; more<a class="anchor-link" href="#${id}">¶</a></h${level}>`;
  const page = (...headings: readonly string[]) => `<!-- contents --><main>${headings.join("")}</main>`;
  match(
    await finishPage(page(heading(2, "A"), heading(3, "B"), heading(2, "C")), ran, source),
    /<li class="level-3"><a href="#B">B &amp; more<\/a><\/li>/,
  );
  doesNotMatch(await finishPage(page(heading(2, "A")), ran, source), /<nav/);
});

Deno.test("what a mark of a chart says is its tooltip; the chart itself and pictures have none", async () => {
  const mark = '<path d="M0" aria-label="4K: 96 &lt; 97" role="graphics-symbol"/>';
  const page = await finishPage(
    `<figure class="chart"><svg aria-label="All">${mark}</svg></figure>${mark}`,
    ran,
    source,
  );
  match(page, /<path d="M0" aria-label="4K: 96 &lt; 97" role="graphics-symbol"><title>4K: 96 &lt; 97<\/title><\/path>/);
  equal(page.match(/<title>/g)?.length, 1);
});

Deno.test("a page ends with what it was made from: version, time, line, runs, parameters", async () => {
  const page = await finishPage("<!-- origin -->", ran, source);
  match(page, /2026-01-02 03:04 UTC/);
  match(page, /0\.1\.0, commit abc1234/);
  match(page, /<code>deno task reproduce -- --only 01<\/code>/);
  match(page, /<td data-label="Hash">0123456789ab<\/td>/);
  match(page, /<code>&quot;http:\/\/a\/b&quot;<\/code>/);
  const changed = await finishPage("<!-- origin -->", injectParameters(ran, { model: "a b", samples: "5" }), source);
  match(changed, /--only 01 --set &#39;model=a b&#39; --set samples=5/);
  match(changed, /<code>5<\/code> \(changed\)/);
});

Deno.test("the index shows each report's question, answer and verdicts, and no text of it is markup", () => {
  const page = indexPage([{
    ...{
      file: "01-board.model=x.html",
      question: "<b>?</b>",
      answer: "Yes, **mostly**, [there](x.md).",
      picture: undefined,
    },
    ...{ claims: claimCounts(ran), origins: ["published"], beside: ["01-board.model=x.pdf"] },
  }], "");
  match(page, /<a href="01-board.model%3Dx.html">&lt;b&gt;\?&lt;\/b&gt;<\/a>/);
  match(
    page,
    /Simulated: <span class="good">✓ 1 holds<\/span><span class="bad">✗ 2 fail<\/span><span class="open">\? 0 cannot/,
  );
  match(page, /Also as <a href="01-board\.model%3Dx\.pdf">PDF<\/a>/);
  match(page, /<code>model=x<\/code>/);
});

const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;

Deno.test("a page without live charts may run no script at all", async () => {
  const page = await finishPage("<!-- policy --><main></main><!-- scripts -->", ran, source);
  match(
    POLICY.exec(page)![1]!,
    /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri/,
  );
  doesNotMatch(page, /<script/);
});

Deno.test("a page with live charts runs one script, known by its hash; specifications in it are data", async () => {
  const spec = (text: string) => `<script type="application/vnd.vegalite.v5+json">${text}</script>`;
  const good = JSON.stringify({ ...smallLines().spec, description: "</script><b>" }).replaceAll("<", "\\u003c");
  const page = await finishPage(
    `<!-- policy -->${spec(good)}${spec('{"mark":"none of all"}')}<!-- scripts -->`,
    ran,
    source,
  );
  const scripts = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];
  deepEqual(scripts.map(([, attributes]) => attributes), [' type="application/json"', ""]);
  match(JSON.parse(scripts[0]![2]!)["$schema"], /schema\/vega\/v6/);
  const hash = createHash("sha256").update(scripts[1]![2]!).digest("base64");
  match(POLICY.exec(page)![1]!, new RegExp(`script-src 'sha256-${hash.replaceAll(/[+/]/g, "\\$&")}';`));
});

Deno.test("real models are listed with server, weights and machine; what is not known says so", async () => {
  const real = { ...card, run: "measured/m/ruler", origin: "measured", study: "RULER, quick", asked: "2026-11-22" };
  const told = notebook(
    shows({ [RUN_TYPE]: { ...real, server: "llama.cpp b1", weights: "m.gguf, Q4", machine: "EPYC, 2 cores, linux" } }),
    shows({ [RUN_TYPE]: { ...real, run: "mine", server: "http://127.0.0.1:8000/v1" } }),
    shows({ [RUN_TYPE]: card }),
  );
  const page = await finishPage("<!-- origin -->", told, source);
  match(page, /<td data-label="Study">RULER, quick<\/td>/);
  match(page, /How real models were asked/);
  match(
    page,
    /llama\.cpp b1<\/td><td data-label="Weights">m\.gguf, Q4<\/td><td data-label="Machine">EPYC, 2 cores, linux/,
  );
  equal(page.match(/not known/g)?.length, 2);
  doesNotMatch(await finishPage("<!-- origin -->", ran, source), /real models/);
});
