import { deepEqual, equal, ok } from "node:assert/strict";
import { checkOnce } from "./_checked.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);

/** Everything that the notebooks print, as text. */
function readPrinted(): string {
  const names = [...Deno.readDirSync(NOTEBOOKS)].map(({ name }) => name).filter((name) => name.endsWith(".ipynb"));
  const outputs = names.flatMap((name) => JSON.parse(Deno.readTextFileSync(new URL(name, NOTEBOOKS))).cells)
    .flatMap(({ outputs = [] }) => outputs);
  const parts = outputs.flatMap(({ data = {} }) => Object.values(data)).flat();
  return parts.filter((part) => typeof part === "string").join("")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** The characters of a text that tables print; the rest is an ellipsis. */
const SHOWN = 299;

const papers = await Promise.all(BENCHMARKS.map(async ({ name, paper }) => ({ name, ...await paper!() })));

for (const { name, claims, runClaims } of papers) {
  for (const set of claims) {
    Deno.test(`${name}, ${set.name}: every claim comes out as it says the published numbers have it`, async () => {
      const checked = await checkOnce(set);
      ok(checked.length > 0);
      equal(new Set(checked.map(({ id }) => id)).size, checked.length, "no short name is used twice");
      for (const { id, verdict, expected, observed } of checked) equal(verdict, expected, `${id}: ${observed}`);
    });

    Deno.test(`${name}, ${set.name}: every claim says what the notebooks print, with the same numbers`, async () => {
      const printed = readPrinted();
      for (const { id, statement, observed } of await checkOnce(set)) {
        for (const text of [statement, observed]) {
          const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
          ok(printed.includes(text) || printed.includes(shown), `${id}: ${text}`);
        }
      }
    });
  }

  Deno.test(`${name}: each set of claims has a name of its own, and no claim about a run is decided without one`, () => {
    equal(new Set(claims.map((set) => set.name)).size, claims.length);
    const verdicts = runClaims.map(({ check }) =>
      check({ rows: [], replies: [], tasks: {}, claimedLength: null }).verdict
    );
    deepEqual(verdicts, runClaims.map(() => "cannot tell"));
  });
}

Deno.test("checkRunClaims() of a run without replies leaves every claim open", () => {
  for (const paper of papers) {
    const checked = checkRunClaims(paper, [{ replies: [], manifest: { tasks: {} } }]);
    deepEqual(checked.map(({ verdict }) => verdict), paper.runClaims.map(() => "cannot tell"));
  }
});
