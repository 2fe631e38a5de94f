import { equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

Deno.test("fathom tasks NAME prints the words of its prompt, in a chat template if asked", async () => {
  const { out } = await shell("tasks", "vt", "--variant", "paper", "--chat-template", "meta-chat");
  match(out, /sample's prompt; \{context\} marks the text:\n\n\[INST\] Memorize and track the chain/);
  match(
    out,
    /\{context\}\nQuestion: Find all .* \[\/INST\]\n\nStart of the answer: " Answer: According to .* they are:"\n$/,
  );
});

Deno.test("fathom tasks lists a benchmark's tasks, and the knobs where a family has its name too", async () => {
  const { out } = await shell("tasks", "counting_stars");
  equal(out.match(/^ +counting_stars_\w+_(en|zh) +retrieval /gm)?.length, 6);
  match(out, /\ncounting_stars: asks for a list of all counts[\s\S]*\n {2}stars=32 /);
});
