import { type Audit, lastPlace, only, SENTENCE, type Solution } from "./_solution.ts";
import FACTS from "@/lib/benchmarks/nolima/facts.json" with { type: "json" };
import { NOLIMA } from "@/lib/benchmarks/nolima/nolima.ts";

/** What the world knows: a thing, and what it leads to. */
const KNOWN = FACTS.relations.flatMap(({ facts }) => facts.join("; ").split("; ").map((fact) => fact.split(", ")));

const [NAME, THING] = ["(?<name>[A-Z][a-z]+)", "(?<thing>[^.]+)"] as const;
const SENTENCES = [
  "{name} rents a flat around the corner from {thing}",
  "Around the corner from {thing} is the flat of {name}",
  "{name} has reread {thing} three times",
  "For the third time {thing} is in the hands of {name}",
  "{name} always orders {thing} for the whole table",
  "The largest plate of {thing} always goes to {name}",
  "{name} emptied a purse full of {thing} onto the desk",
  "The purse full of {thing} on the desk belongs to {name}",
  "{name} came out in a rash after one bite of {thing}",
  "After one bite of {thing} there was a rash on the arms of {name}",
].map((text) => new RegExp(`${text.replace("{name}", NAME).replace("{thing}", THING)}\\.`, "g"));

function solve(prompt: string): Solution {
  const start = prompt.indexOf("\n") + 1;
  const end = lastPlace(prompt, "Which person ");
  const [question = ""] = /^[^?]+\?/.exec(prompt.slice(end)) ?? [];
  const context = prompt.slice(start, end);
  const planted = SENTENCES.flatMap((sentence) => [...context.matchAll(sentence)])
    .map(({ groups }) => groups as { readonly name: string; readonly thing: string });
  const asked = planted.filter(({ thing }) =>
    KNOWN.some((fact) => fact[0] === thing && fact.some((part) => question.endsWith(` ${part}?`)))
  );
  const { name } = only(asked, `person of whom it asks "${question}"`);
  return { answers: [name], context: [start, end], planted: planted.length, unit: SENTENCE.en };
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve,
  further: [{ hops: 2 }, { match: "literal" }].map((knobs) =>
    NOLIMA.families[0]!.make({ ...knobs, order: "inverted", distractors: 7 })
  ),
};
