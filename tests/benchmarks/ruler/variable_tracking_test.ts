import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("VARIABLE_TRACKING.make() words a prompt as the paper prints it (Table 8)", () => {
  const { prompt, references, facts } = VARIABLE_TRACKING.make({ variant: "paper", hops: 1 })
    .sample({ length: 1024, seed: "paper", index: 0, materials });
  const [first, second] = references;
  const { value } = facts.find(({ key }) => key === first)!;
  const [, task] = userText(prompt).split("\n\nMemorize");
  equal(
    task!.replaceAll(`${NOISE_LINE}\n`, "").replaceAll(`${first}`, "X1").replaceAll(`${second}`, "X2"),
    " and track the chain(s) of variable assignment hidden in the following text.\n\n" +
      `VAR X1 = ${value}\nVAR X2 = X1\n` +
      `Question: Find all variables that are assigned the value ${value} in the text above.`,
  );
  equal(
    prompt.answerPrefix,
    ` Answer: According to the chain(s) of variable assignment in the text above, 2 variables are assigned the value ${value}, they are:`,
  );
});

Deno.test.each(
  [
    // Noise is #, a number given to a variable =, and a variable given to another, whose line ends with a space, ~.
    ["2026", /^(?:[#=~]\n)+$/],
    ["2024", /^(?:#\n|=|~)(?: (?:#\n|=|~))*$/],
    ["paper", /^(?:[#=~]\n)+$/],
  ] as const,
)("VARIABLE_TRACKING.make() joins lines as the wording of %s does", (variant, wanted) => {
  const task = VARIABLE_TRACKING.make({ variant, chains: 2, examples: 0 });
  let beginnings = "";
  for (let index = 0; index < 30; index++) {
    const { prompt, facts } = task.sample({ length: 1024, seed: "lines", index, materials });
    const begin = userText(prompt).indexOf("\n\n") + 2;
    const asked = userText(prompt).lastIndexOf(`${variant === "2024" ? "\n" : ""}Question:`);
    let context = userText(prompt).slice(begin, asked).replaceAll(`${NOISE_LINE}\n`, "#\n");
    for (const { text, value } of facts) {
      const isOfNumber = /^\d+$/.test(value);
      const line = isOfNumber || variant === "paper" ? text : `${text} `;
      equal(context.split(line).length, 2, line);
      context = context.replace(line, isOfNumber ? "=" : "~");
    }
    match(context, wanted);
    beginnings += context[0];
  }
  // Some begin with noise, and some with an assignment.
  match([...beginnings].sort().join(""), /^#+=+$/);
});

const MANY = cases(15, 333);

Deno.test("VARIABLE_TRACKING.make() has names and values that cannot be mistaken", () => {
  for (
    const [chains, hops, samples] of [
      [1, 4, MANY],
      [4, 2, MANY],
      [3, 10, MANY],
      ...cases([], [[100, 10, 1]] as const),
    ] as const
  ) {
    const task = VARIABLE_TRACKING.make({ chains, hops });
    const length = Math.max(2048, task.leastLength(materials));
    for (let index = 0; index < samples; index++) {
      checkNames(task.sample({ length, seed: "names", index, materials }), { chains, hops });
    }
  }
});

function checkNames(
  { prompt, facts, references }: Sample,
  { chains, hops }: { readonly chains: number; readonly hops: number },
): void {
  const names = facts.map(({ key }) => key);
  const values = facts.map(({ value }) => value).filter((value) => /^\d+$/.test(value));
  const example = facts.filter(({ role }) => role === "example");
  equal(new Set(names).size, names.length);
  equal(names.length, 2 * chains * (hops + 1));
  equal(new Set(values).size, 2 * chains);
  ok(values.every((value) => /^[1-9]\d{4}$/.test(value) && value !== "99999"));
  ok(names.every((name) => /^[A-Z]+$/.test(name)));
  ok(example.every(({ key, depth }) => key.length === 3 && depth === null));
  ok(names.every((name) => !names.some((other) => other !== name && other.includes(name))));
  const words = userText(prompt).replaceAll(new RegExp(names.join("|"), "g"), "") + prompt.answerPrefix;
  ok(names.every((name) => !words.toLowerCase().includes(name.toLowerCase())));
  deepEqual(facts.filter(({ role }) => role === "target").map(({ key }) => key), references);
}

Deno.test("VARIABLE_TRACKING.make() leaves room for the names of a long chain", () => {
  equal(VARIABLE_TRACKING.make().answerRoom, 30);
  equal(VARIABLE_TRACKING.make({ hops: 10 }).answerRoom, 66);
  const task = VARIABLE_TRACKING.make({ hops: 40 });
  for (let index = 0; index < 50; index++) {
    const { references } = task.sample({ length: 4096, seed: "room", index, materials });
    equal(references.length, 41);
    ok(materials.tokenizer.count(` ${references.join(" ")}`) <= task.answerRoom);
  }
});

Deno.test("VARIABLE_TRACKING.make() asks without a worked example where there are none, in every wording", () => {
  for (const variant of ["2026", "2024", "paper"] as const) {
    const task = VARIABLE_TRACKING.make({ variant, examples: 0 });
    const { prompt, facts } = task.sample({ length: 1024, seed: "none", index: 0, materials });
    equal(userText(prompt).split("Memorize and track").length, 2);
    ok(userText(prompt).startsWith("Memorize and track"));
    deepEqual(facts.filter(({ role }) => role === "example"), []);
  }
});

// Form of NVIDIA/RULER's variable_tracking.py at c3f5e3b with --type_haystack essay: sentences, each assignment one of them.
Deno.test("VARIABLE_TRACKING.make() hides chains between the sentences of essays, in its example too", () => {
  const task = VARIABLE_TRACKING.make({ haystack: "essay", chains: 2, hops: 2 });
  for (let index = 0; index < 20; index++) {
    const sample = task.sample({ length: 2048, seed: "essay", index, materials });
    const { prompt, facts, promptTokens, answerRoom, id } = sample;
    const user = userText(prompt);
    ok(promptTokens + answerRoom <= 2048 && promptTokens + answerRoom > 2030);
    match(id, /,haystack=essay\/essays_en\//);
    equal(user.includes(NOISE_LINE), false);
    const [example, asked] = user.split("Memorize and track").slice(1);
    const hidden = [...user.matchAll(/(?<=^| )(VAR [A-Z]+ = (?:VAR [A-Z]{3,5}|\d{5}))\.(?= |$)/gm)].map(([, text]) =>
      text!
    );
    deepEqual(facts.map(({ text }) => text), hidden);
    match(example!, /\S\nQuestion: Find all variables that .*, they are: {2}[A-Z]{3} [A-Z]{3} [A-Z]{3}\n\n$/);
    match(asked!, /^ and track[^\n]*\n\n|^ the chain\(s\)[^\n]*\n\n[^\n]+\nQuestion: [^\n]*$/);
    ok(materials.tokenizer.count(example!) <= 500);
  }
});

Deno.test("VARIABLE_TRACKING.make() has essays in the wording of 2026 alone, and leaves the default out of ids", () => {
  throws(() => VARIABLE_TRACKING.make({ haystack: "essay", variant: "2024" }), {
    name: "RangeError",
    message: 'Cannot make task vt as haystack must be noise in variant 2024: current value is "essay"',
  });
  const { options } = VARIABLE_TRACKING.make({ haystack: "noise", examples: 1 });
  deepEqual([options["haystack"], options["examples"]], [undefined, undefined]);
  equal(VARIABLE_TRACKING.make({ examples: 0 }).options["examples"], 0);
});
