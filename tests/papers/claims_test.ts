import { deepEqual, equal, match, ok } from "node:assert/strict";
import { checkOnce } from "./_checked.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { checkClaims, type CheckedClaim } from "@/lib/statistics/mod.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);

const notebooks = [...Deno.readDirSync(NOTEBOOKS)].map(({ name }) => name).filter((name) => name.endsWith(".ipynb"))
  .map((name) => Deno.readTextFileSync(new URL(name, NOTEBOOKS)));

/** Everything that the notebooks print, as text. */
function readPrinted(): string {
  const outputs = notebooks.flatMap((text) => JSON.parse(text).cells).flatMap(({ outputs = [] }) => outputs);
  const parts = outputs.flatMap(({ data = {} }) => Object.values(data)).flat();
  return parts.filter((part) => typeof part === "string").join("")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** The characters of a text that tables print; the rest is an ellipsis. */
const SHOWN = 299;

const papers = await Promise.all(
  BENCHMARKS.flatMap(({ name, paper }) => paper === undefined ? [] : [paper().then((opened) => ({ name, ...opened }))]),
);

for (const { name, claims, runClaims } of papers) {
  for (const set of claims) {
    Deno.test(`${name}, ${set.name}: every claim comes out as it says the published numbers have it`, async () => {
      const checked = await checkOnce(set);
      ok(checked.length > 0);
      equal(new Set(checked.map(({ id }) => id)).size, checked.length, "no short name is used twice");
      for (const { id, verdict, expected, observed } of checked) equal(verdict, expected, `${id}: ${observed}`);
    });

    // A paper without a notebook has its claims on its page alone.
    const ignore = !notebooks.some((text) => text.includes(`@/lib/papers/${name}/`));
    const printing = `${name}, ${set.name}: every claim says what the notebooks print, with the same numbers`;
    Deno.test(printing, { ignore }, async () => {
      const printed = readPrinted();
      for (const { id, statement, observed } of await checkOnce(set)) {
        for (const text of [statement, observed]) {
          const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
          ok(printed.includes(text) || printed.includes(shown), `${id}: ${text}`);
        }
      }
    });
  }

  Deno.test(`${name}: each set of claims, and each claim about a run, has a name of its own`, () => {
    for (const names of [claims.map((set) => set.name), runClaims.map(({ id }) => id)]) {
      equal(new Set(names).size, names.length, names.join());
    }
  });
}

Deno.test("checkRunClaims() of a run without replies leaves every claim open", () => {
  for (const paper of papers) {
    const checked = checkRunClaims(paper, [{ replies: [], manifest: { tasks: {} } }]);
    deepEqual(checked.map(({ verdict }) => verdict), paper.runClaims.map(() => "cannot tell"));
  }
});

/** Claims with numbers that stand elsewhere than in the words they quote, as counts of tasks and years of editions. */
const NUMBERS_ELSEWHERE: readonly string[] = ["L1", "B1", "B2", "G4"];

const NO_RUN = { rows: [], replies: [], tasks: {}, claimedLength: null };

for (const { name, claims, runClaims } of papers) {
  Deno.test(`${name}: every statement of the paper is quoted, and a number that its quote lacks is said to be our measure`, async () => {
    const published = await Promise.all(claims.map((set) => checkOnce(set)));
    const quoted = [...published.flat(), ...checkClaims(runClaims, NO_RUN)]
      .filter(({ kind }) => kind !== "check");
    ok(quoted.length > 0);
    for (const claim of quoted) {
      for (const place of claim.quote.split("” against “")) match(place, /\S.{7,}\S/, `${claim.id} has no quote`);
    }
    for (const { id, quote, quantifier } of quoted) {
      ok(
        quantifier === undefined || quote.includes(quantifier.word),
        `${id}: "${quantifier?.word}" is not in its quote`,
      );
    }
    for (const claim of quoted) {
      const hint = `${claim.id}: a number that is not in the quote stands in (our measure: …)`;
      equal(ownNumbers(claim).length > 0, NUMBERS_ELSEWHERE.includes(claim.id), hint);
    }
  });
}

Deno.test("numbers are compared in digits or words, and names are not numbers", () => {
  const numbers = (quote: string, statement: string): readonly string[] => ownNumbers({ quote, statement });
  deepEqual(numbers("it drops by ∼40 points at 256K", "It drops by 40 points at 256K."), []);
  deepEqual(numbers("it drops by ∼40 points", "It drops by 30 points or more."), ["30"]);
  deepEqual(numbers("it drops", "It drops (our measure: 30 points or more)."), []);
  deepEqual(numbers("it drops", "It drops by 5 (our measure: at 128K)."), ["5"]);
  deepEqual(numbers("only four models", "4 models: GPT-4, Llama2-7B, Yi-34B and Mistral 7B v0.1."), []);
  deepEqual(numbers("most models", "Nine in ten models."), ["9", "10"]);
});

/** The numbers of a statement that its quote does not have and that it does not own up to. */
function ownNumbers({ quote, statement }: Pick<CheckedClaim, "quote" | "statement">): readonly string[] {
  const quoted = new Set(numbersOf(quote));
  return numbersOf(statement.replaceAll(/\(our measure[^()]*(?:\([^()]*\)[^()]*)*\)/g, "")).filter((number) =>
    !quoted.has(number)
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
