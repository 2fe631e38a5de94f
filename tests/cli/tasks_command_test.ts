import { equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";

Deno.test("fathom tasks --markdown is what docs/tasks.md says, with every task and knob", async () => {
  const { code, out } = await shell("tasks", "--markdown");
  equal(code, 0);
  for (const { tasks, knobs } of listFamilies()) {
    for (const name of [...tasks, ...Object.keys(knobs)]) ok(out.includes(`| \`${name}\` |`), name);
  }
  const page = await Deno.readTextFile(new URL("../../docs/tasks.md", import.meta.url));
  ok(
    page === out,
    "docs/tasks.md is not in step: write it again by `deno task fathom tasks --markdown > docs/tasks.md`",
  );
});

Deno.test("fathom tasks NAME prints the words of its prompt, in a chat template if asked", async () => {
  const { out } = await shell("tasks", "vt", "--variant", "paper", "--chat-template", "meta-chat");
  match(out, /sample's prompt; \{context\} marks the text:\n\n\[INST\] Memorize and track the chain/);
  match(
    out,
    /\{context\}\nQuestion: Find all .* \[\/INST\]\n\nStart of the answer: " Answer: According to .* they are:"\n$/,
  );
});

Deno.test("fathom tasks --markdown has the settings of RULER's Table 5", async () => {
  const { out } = await shell("tasks", "--markdown");
  for (
    const row of [
      "`niah_single_1` | `haystack=noise`",
      "`niah_multikey_3` | `haystack=needle` `keyType=uuids` `valueType=uuids`",
      "`niah_multiquery` | `keys=4` `queries=4`",
      "`qa_2` | `hops=2`",
    ]
  ) ok(out.includes(`| ${row} |`), row);
});

Deno.test("fathom tasks lists a benchmark's tasks, and the knobs where a family has its name too", async () => {
  const { out } = await shell("tasks", "counting_stars");
  equal(out.match(/^ +counting_stars_\w+_(en|zh) +retrieval /gm)?.length, 6);
  match(out, /\ncounting_stars: asks for a list of all counts[\s\S]*\n {2}stars=32 /);
});
