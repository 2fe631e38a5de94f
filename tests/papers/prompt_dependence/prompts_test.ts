import { deepEqual, match } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { printedReplyTable, recallPromptTable } from "@/lib/papers/prompt_dependence/mod.ts";

Deno.test("recallPromptTable() has the three templates of Table 6, and the PistachioAI test in each", async () => {
  const { markdown } = recallPromptTable(await openTestMaterials("cl100k_base"), { title: "Prompts" });
  const text = markdown.replaceAll("\\", "");
  match(text, /\| <s><<SYS>>⏎\{system_message\}⏎<<\/SYS>>⏎\{document\}⏎\[INST\]\{question\}\[\/INST\] \|/);
  match(text, /\| \[INST\]⏎\{system_message\}⏎\{document\}⏎\{question\}⏎\[\/INST\] \|/);
  match(text, /\| \{system_message\}⏎\{document\}⏎\{question\} \|/);
  deepEqual(text.match(/\[…\] [^|]* PistachioAI received a patent before its Series A\. [^|]* \[…\]/g)?.length, 3);
});

Deno.test("printedReplyTable() has four printed replies; the rubric sees no context, as the judge in section 5", () => {
  const { text } = printedReplyTable({ title: "Replies" });
  match(text, /^Table 3 .* – +5$/m);
  match(text, /^Section 4\.2.* – +1$/m);
  match(text, /^Section 5.* 3 +5$/m);
  match(text, /^Appendix C.* – +5$/m);
});
