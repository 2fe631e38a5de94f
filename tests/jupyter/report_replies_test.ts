import { deepEqual, equal, match } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { code, notebook } from "./_cells.ts";
import { runBundle } from "@/lib/jupyter/notebook_outputs.ts";
import type { JsonObject, Notebook } from "@/lib/jupyter/notebook.ts";
import { openReplies } from "@/lib/jupyter/report_replies.ts";
import { openMeasured } from "@/lib/records/mod.ts";

const runs = await openMeasured({ benchmark: "kv_cache" });
const cardOf = (run: typeof runs[number]): JsonObject => runBundle(run) as JsonObject;
const shows = (...data: readonly JsonObject[]): Notebook =>
  notebook(code("", { outputs: data.map((each) => ({ "output_type": "display_data", data: each })) }));
const named = (card: JsonObject, changes: JsonObject): JsonObject => {
  const [[type, facts], ...others] = Object.entries(card) as [[string, JsonObject]];
  return { ...Object.fromEntries(others), [type]: { ...facts, ...changes } };
};

Deno.test("openReplies() leads a mark to the narrowest view that has its replies", async () => {
  const { html, scripts, hrefOf } = await openReplies(shows(...runs.map(cardOf)), "results/runs");
  match(html, /<div class="explorer-host"><template shadowrootmode="open"><style>.*<main class="explorer">/s);
  match(scripts, /^'sha256-[^']+' 'sha256-[^']+'$/);
  const [first, second] = runs.map(({ manifest }) => manifest.name);
  const { task, length } = runs[1]!.replies[0]!;
  const view = (fields: Record<string, string>): string => `${new URLSearchParams(fields)}`;
  const stateOf = (fields: Record<string, string>): unknown =>
    Object.fromEntries(new URLSearchParams(hrefOf(view(fields))?.slice(1)));
  deepEqual(stateOf({ run: second!, task, length: `${length}` }), { task, length: `${length}`, sort: "score1" });
  deepEqual(stateOf({ run: first!, task, class: "loop", depth: "100" }), {
    ...{ task, class0: "loop", depth: "4", sort: "score0" },
  });
  // A label is no task, and a length that was not asked is none.
  deepEqual(stateOf({ run: first!, task: "my label", length: "7" }), { sort: "score0" });
  deepEqual(stateOf({ run: first!, asked: task, task: "my label" }), { task, sort: "score0" });
  equal(hrefOf("undefined"), undefined);
  equal(hrefOf(view({ run: "another", task })), undefined);
});

Deno.test("openReplies() names runs that cannot be read, that changed, or are too many", async () => {
  const [first] = runs;
  const gone = named(cardOf(first!), { run: "gone<b>" });
  const other = named(cardOf(first!), { sha256: "0" });
  await withFolder({}, async (folder) => {
    const { html, hrefOf } = await openReplies(shows(gone, other), folder);
    match(html, /Not in this file: gone&lt;b&gt; \(.*\); measured\/.* \(its samples are others now\)/);
    equal(html.includes("explorer-host"), false);
    equal(hrefOf(`run=${first!.manifest.name}`), undefined);
    deepEqual(await openReplies(shows({ "text/plain": "none" }), folder).then((replies) => replies.html), "");
  });
});
