import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { needleSentence } from "@/lib/benchmarks/ruler/needles.ts";
import { niahWording } from "@/lib/benchmarks/ruler/niah.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { hideChains } from "@/lib/benchmarks/ruler/variable_chains.ts";
import { vtExampleWording, vtWording } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { openEncoding } from "@/lib/text/mod.ts";

// Samples that RULER's own code made, kept as facts and a hash (README.md says how): our wording has to give the same bytes.

/** What the reference drew for one of its samples, and the hash of its text, answer prefix included. */
interface GoldenFacts {
  readonly variant: "2026" | "2024";
  readonly task: "niah_single_1" | "niah_multikey_3" | "vt";
  readonly outputs: readonly string[];
  readonly sha256: string;
  /** Where the answer prefix begins, in the code of 2026. */
  readonly prefixAt?: number;
  /** The key that is asked for. */
  readonly query?: string;
  /** The haystack: how many lines of noise follow one another, or a needle's key and value. */
  readonly lines?: readonly (number | readonly [string, string])[];
  /** The worked example of variable tracking, and its task. */
  readonly example?: GoldenChain;
  readonly chain?: GoldenChain;
}

interface GoldenChain {
  readonly value: string;
  readonly names: readonly string[];
  /** How many lines of noise stand before each assignment. */
  readonly after: readonly number[];
  readonly noise: number;
}

const golden: readonly GoldenFacts[] = JSON.parse(
  await Deno.readTextFile(new URL("ruler_golden.json", import.meta.url)),
);
const materials = {
  tokenizer: await openEncoding("cl100k_base"),
  remember: <T>(_key: string, make: () => T): T => make(),
};

for (const [number, facts] of golden.entries()) {
  Deno.test(`${facts.task} ${facts.variant} gives the bytes of the reference's sample (${number})`, () => {
    const { user, answerPrefix } = facts.task === "vt" ? renderChain(facts) : renderNeedles(facts);
    if (facts.prefixAt !== undefined) equal(user.length, facts.prefixAt);
    equal(createHash("sha256").update(user + answerPrefix).digest("hex"), facts.sha256);
  });
}

interface Rendered {
  readonly user: string;
  readonly answerPrefix: string;
}

function renderNeedles({ task, variant, query, lines, outputs }: GoldenFacts): Rendered {
  const type = task === "niah_single_1" ? "numbers" : "uuids";
  const keyType = task === "niah_single_1" ? "words" : "uuids";
  const wording = niahWording({ queries: [query!], values: 1, valueType: type, keyType, variant });
  const needles = lines!.flatMap((line) => typeof line === "number" ? [] : [line]);
  deepEqual(needles.filter(([key]) => key === query).map(([, value]) => value), outputs);
  const context = lines!.map((line) =>
    typeof line === "number"
      ? `${NOISE_LINE}\n`.repeat(line)
      : `${needleSentence(type, { key: line[0], value: line[1] })}\n`
  );
  return { user: wording.opening + context.join("") + wording.question, answerPrefix: wording.answerPrefix };
}

function renderChain({ variant, example, chain, outputs }: GoldenFacts): Rendered {
  deepEqual(chain!.names, outputs);
  const hide = ({ value, names, after, noise }: GoldenChain): string =>
    hideChains([{ role: "target", value, names, depths: after.map((lines) => lines / noise) }], { variant, materials })(
      noise,
    ).map(({ measured }) => measured.text).join("");
  const { value, names } = example!;
  const solved = vtExampleWording({ value, variables: names.length, names, variant, afterPrompt: "" });
  const wording = vtWording({ value: chain!.value, variables: chain!.names.length, variant });
  return {
    user: solved.opening + hide(example!) + solved.ending + wording.opening + hide(chain!) + wording.question,
    answerPrefix: wording.answerPrefix,
  };
}
