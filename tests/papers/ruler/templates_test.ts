import { equal, match, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { modelTemplateTable, taskTemplateTable } from "@/lib/papers/ruler/mod.ts";

Deno.test("modelTemplateTable() has the seven rows of Table 6, spaces and line breaks included", () => {
  const { text } = modelTemplateTable();
  match(
    text,
    /^ChatGLM +chatglm-chat +\[gMASK\]sop<\|user\|> ⏎ \{task_template\}<\|assistant\|> ⏎ \{task_answer_prefix\}$/m,
  );
  match(text, /^Others +meta-chat +\[INST\] \{task_template\} \[\/INST\]\{task_answer_prefix\}$/m);
});

Deno.test("taskTemplateTable() has the templates of Tables 7 to 9 with placeholders, in the paper's wording", async () => {
  const { markdown } = taskTemplateTable(await openTestMaterials("cl100k_base"));
  const rows = markdown.replaceAll("\\", "").split("\n").filter((line) => /^\| [789] /.test(line));
  equal(rows.length, 13);
  // Table 7 prints the plural opening for one needle, and asks for a number in the uuid task.
  match(
    rows[0]!,
    /^\| 7 \| niah_single_1 \| Some special magic numbers are hidden .*⏎\{context\}⏎What is the special magic number for \{key\}/,
  );
  match(rows[5]!, /special magic uuids .* What is the special magic number for \{key\}|uuids.*number for \{key\}/);
  match(
    rows[8]!,
    /VAR \{key\} = \{value\} \| Answer: According to the chain\(s\) .* 5 variables are assigned the value \{value\}/,
  );
  match(rows[11]!, /⏎⏎\{context\}⏎⏎Answer the question/);
  match(rows[12]!, /Question: \{question\} \| Document \{number\}:⏎\{document\} \| Answer: \|$/);
  ok(rows.every((row) => !/\d{5,}/.test(row)), "no value of a sample is left");
});
