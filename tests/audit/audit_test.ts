import { deepEqual, match, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { auditCells, openOnce, planCells } from "./_audit_cells.ts";
import { auditSample } from "./_audit_sample.ts";
import { AUDITS } from "./_settings.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { PLAIN_TEMPLATE, type Sample, type Task, userPrompt, userText } from "@/lib/generators/mod.ts";

const open = openOnce();

// A draw of what tests/proofs audits.
for (const [suite, { named }] of AUDITS) {
  Deno.test(`samples of ${suite} are solved from their text alone, and are what they say`, async () => {
    const plan = [
      { length: "least", tasks: "named", encodings: "in turn", samples: 1 },
      { length: cases(2_900, 1_500), tasks: cases("named", "all"), encodings: "in turn", samples: 1 },
      ...cases([], [{ length: 4_097, tasks: "named", encodings: "in turn", samples: 1 }] as const),
    ] as const;
    const { samples, faults } = await auditCells(suite, planCells(suite, plan), open);
    deepEqual(faults, []);
    ok(samples > named.length);
  });
}

const { materials, encode } = await open("cl100k_base");

function audit(suite: string, sample: Sample): string[] {
  return auditSample(sample, {
    solve: AUDITS.get(suite)!.solve,
    encode,
    template: PLAIN_TEMPLATE,
    isBudget: true,
    isFilled: true,
  });
}

const EXAMPLES: readonly (readonly [suite: string, Task])[] = [
  ["ruler", rulerTask("niah_multivalue")],
  ["ruler", rulerTask("vt")],
  ["ruler", rulerTask("cwe")],
  ["counting_stars", STARS.task("counting_stars_linked_zh")],
  ["prompt_dependence", PROMPT_RECALL.task("recall_thornfield")],
  ["cdme", CDME_NEEDLES.task("cdme_multi_en")],
  ["babilong", BABILONG_TASKS.task("babilong_qa3")],
];

Deno.test("the audit finds a wrong answer, a wrong count of tokens, a wrong place and another text", () => {
  for (const [suite, task] of EXAMPLES) {
    const sample = task.sample({ length: 3_000, seed: "42", index: 1, materials });
    const { references, facts, prompt } = sample;
    deepEqual(audit(suite, sample), []);
    const finds = (changed: Partial<Sample>, what: RegExp): void => {
      const faults = audit(suite, { ...sample, ...changed });
      match(faults.join("\n"), what, `${task.name} ${what}`);
    };
    finds({ references: [`${references[0]}1`, ...references.slice(1)] }, /is answered by/);
    finds({ promptTokens: sample.promptTokens + 1 }, /tokens and says/);
    finds({ length: sample.length + 60 }, /leaves|where a unit/);
    finds({ length: sample.length - 60 }, /over its length/);
    finds({ prompt: userPrompt(userText(prompt).replace("e", "é").replace("的", "地"), prompt) }, /has the hash/);
    if (sample.depth !== undefined) finds({ depth: 0.9 }, /was asked for 0.9/);
    if (facts.every(({ depth }) => depth === null)) {
      finds({ facts: [{ ...facts[0]!, value: "1000" }] }, /times and says 1000/);
    } else {
      finds({ facts: facts.map((fact) => ({ ...fact, tokenOffset: fact.tokenOffset! + 9 })) }, /does not say/);
      finds({ facts: facts.map((fact) => ({ ...fact, depth: fact.depth === null ? null : 0.123 })) }, /at depth/);
      finds({ facts: facts.filter(({ depth }) => depth === null) }, /planted things and says/);
    }
  }
});

Deno.test("the audit finds an answer that stands twice, and one that is missing", () => {
  const sample = rulerTask("niah_single_2").sample({ length: 3_000, seed: "42", index: 1, materials });
  const user = userText(sample.prompt);
  const { text, key } = sample.facts[0]!;
  const finds = (changed: string, what: RegExp): void => {
    match(audit("ruler", { ...sample, prompt: userPrompt(changed, sample.prompt) }).join("\n"), what);
  };
  finds(user.replace(text, `${text} One of the special magic numbers for ${key} is: 1234567.`), /one value of the key/);
  finds(user.replace(text, ""), /no needle has the key/);
});
