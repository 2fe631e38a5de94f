import { deepEqual, equal, match, ok } from "node:assert/strict";
import { CDME_CLAIMS } from "@/lib/papers/cdme/claims.ts";
import { STAR_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { COUNTING_STARS_PAPER } from "@/lib/papers/counting_stars/paper.ts";
import { THREADING_CLAIMS } from "@/lib/papers/needle_threading/claims.ts";
import { NEEDLE_THREADING_PAPER } from "@/lib/papers/needle_threading/paper.ts";
import { RECALL_CLAIMS } from "@/lib/papers/prompt_dependence/claims.ts";
import { PROMPT_DEPENDENCE_PAPER } from "@/lib/papers/prompt_dependence/paper.ts";
import { ABLATION_CLAIMS } from "@/lib/papers/ruler/ablation_claims.ts";
import { CORRELATION_CLAIMS } from "@/lib/papers/ruler/correlation_study.ts";
import { LEADERBOARD_CLAIMS } from "@/lib/papers/ruler/leaderboard_claims.ts";
import { FAMILY_CLAIMS, MODEL_CLAIMS } from "@/lib/papers/ruler/model_claims.ts";
import { RULER_PAPER } from "@/lib/papers/ruler/paper.ts";
import { COPYING_CLAIMS } from "@/lib/papers/ruler/reply_claims.ts";
import { checkClaims, type Claim, decidedByCases } from "@/lib/statistics/mod.ts";
import { unlessAtEdge } from "@/lib/statistics/findings.ts";

/** Every list of claims in the house; none of its checks is called here. */
const LISTS: Readonly<Record<string, readonly Claim<never>[]>> = {
  LEADERBOARD_CLAIMS,
  "RULER_PAPER of runs": RULER_PAPER.runClaims,
  ABLATION_CLAIMS,
  COPYING_CLAIMS,
  MODEL_CLAIMS,
  FAMILY_CLAIMS,
  CORRELATION_CLAIMS,
  STAR_CLAIMS,
  "Counting-Stars of runs": COUNTING_STARS_PAPER.runClaims,
  THREADING_CLAIMS,
  "Needle Threading of runs": NEEDLE_THREADING_PAPER.runClaims,
  RECALL_CLAIMS,
  "Prompt dependence of runs": PROMPT_DEPENDENCE_PAPER.runClaims,
  CDME_CLAIMS,
};

Deno.test("checkClaims() gives a plain row per claim, in order", () => {
  const claims: readonly Claim<readonly number[]>[] = [
    {
      id: "A2",
      source: "section 2",
      quote: "we used two",
      statement: "There are two.",
      check: (numbers) => ({
        verdict: numbers.length === 2 ? "holds" : "fails",
        observed: `${numbers.length} were seen.`,
      }),
    },
    {
      id: "A1",
      source: "sections 1 and 2",
      quote: ["three were used", "we used two"],
      statement: "Both give the same number.",
      check: () => ({ verdict: "fails", observed: "Three and two." }),
    },
    {
      id: "A3",
      source: "section 1",
      statement: "They are many.",
      check: () => ({ verdict: "cannot tell", observed: "Many is not said." }),
    },
  ];
  deepEqual(checkClaims(claims, [3, 4]), [
    {
      id: "A2",
      source: "section 2",
      kind: "paper",
      quote: "“we used two”",
      statement: "There are two.",
      verdict: "holds",
      observed: "2 were seen.",
    },
    {
      id: "A1",
      source: "sections 1 and 2",
      kind: "inconsistency",
      quote: "“three were used” against “we used two”",
      statement: "Both give the same number.",
      verdict: "fails",
      observed: "Three and two.",
    },
    {
      id: "A3",
      source: "section 1",
      kind: "check",
      quote: "",
      statement: "They are many.",
      verdict: "cannot tell",
      observed: "Many is not said.",
    },
  ]);
  deepEqual(checkClaims([], 1), []);
});

for (const [name, claims] of Object.entries(LISTS)) {
  Deno.test(`${name}: every statement of a paper is quoted`, () => {
    ok(claims.length > 0);
    equal(new Set(claims.map(({ id }) => id)).size, claims.length, "no short name is used twice");
    for (const claim of claims) {
      for (const place of quotesOf(claim)) match(place, /\S.{7,}\S/, `${claim.id} has no quote`);
    }
  });

  Deno.test(`${name}: a number that the quoted sentence does not have is said to be our measure`, () => {
    const invented = claims.flatMap((claim) =>
      claim.quote === undefined ? [] : [{ id: claim.id, numbers: ours(claim) }]
    )
      .filter(({ numbers }) => numbers.length > 0);
    deepEqual(invented, []);
  });
}

Deno.test("numbers are compared in digits or words, and names are not numbers", () => {
  const numbers = (quote: string, statement: string): readonly string[] =>
    ours({ id: "A1", source: "", quote, statement, check: () => ({ verdict: "holds", observed: "" }) });
  deepEqual(numbers("it drops by ∼40 points at 256K", "It drops by 40 points at 256K."), []);
  deepEqual(numbers("it drops by ∼40 points", "It drops by 30 points or more."), ["30"]);
  deepEqual(numbers("it drops", "It drops (our measure: 30 points or more)."), []);
  deepEqual(numbers("it drops", "It drops by 5 (our measure: at 128K)."), ["5"]);
  deepEqual(numbers("only four models", "4 models: GPT-4, Llama2-7B, Yi-34B and Mistral 7B v0.1."), []);
  deepEqual(numbers("most models", "Nine in ten models."), ["9", "10"]);
});

function quotesOf({ quote }: Claim<never>): readonly string[] {
  return quote === undefined ? [] : [quote].flat();
}

/** The numbers of a statement that its quote does not have and that it does not own up to. */
function ours(claim: Claim<never>): readonly string[] {
  const said = new Set(quotesOf(claim).flatMap(numbersOf));
  return numbersOf(claim.statement.replaceAll(/\(our measure[^()]*(?:\([^()]*\)[^()]*)*\)/g, "")).filter((number) =>
    !said.has(number)
  );
}

const WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Model names with their sizes and versions, and places in a paper: numbers in them claim nothing. */
const NAMES = [
  /\b(?:Tables?|Figures?|sections?) \d+(?:(?:,| and| to) \d+)*/gi,
  /\b(?:GPT|LWM|RWKV)-v?\d+(?:\.\d+)?[KM]?/g,
  /\b(?:Llama|LLaMA|Gemini|Jamba|Claude)[- ]?\d+(?:\.\d+)?/g,
  /\bv\d+(?:\.\d+)?/g,
  /\b(?:\d+x)?\d+(?:\.\d+)?[bB]\b/g,
];

/** The numbers of a text, whether in digits or in words. */
function numbersOf(text: string): readonly string[] {
  const plain = NAMES.reduce((rest, name) => rest.replaceAll(name, ""), text);
  const words = plain.match(/\d{1,3}(?:,\d{3})+(?![\d,])|\d+(?:\.\d+)?|[A-Za-z]+/g) ?? [];
  return words.flatMap((word) => {
    if (/^\d/.test(word)) return [word.replaceAll(",", "")];
    const at = WORDS.indexOf(word.toLowerCase());
    return at < 0 ? [] : [String(at + 2)];
  });
}

Deno.test("unlessAtEdge() leaves open what two scores at the floor cannot show", () => {
  const alike = { verdict: "holds", observed: "Nothing is lost." } as const;
  const nothing = { score: 0, low: 0, high: 3 };
  equal(unlessAtEdge(alike, [nothing, nothing], { bar: 10 }).verdict, "cannot tell");
  equal(unlessAtEdge(alike, [{ score: 60, low: 57, high: 63 }, nothing], { bar: 10 }).verdict, "holds");
});

Deno.test("decidedByCases() needs all cases to hold, and three quarters of at least eight to mostly hold", () => {
  const verdict = (agreeing: number, of: number): string =>
    decidedByCases(Array.from({ length: of }, (_, at) => at < agreeing), "").verdict;
  deepEqual([verdict(4, 4), verdict(6, 8), verdict(5, 8), verdict(17, 20), verdict(14, 20)], [
    ...["holds", "mostly holds", "fails", "mostly holds", "fails"],
  ]);
  // Of four cases three agree by chance in 31% of draws.
  deepEqual([verdict(3, 3), verdict(2, 3), verdict(3, 4), verdict(6, 7)], ["holds", "fails", "fails", "fails"]);
});
