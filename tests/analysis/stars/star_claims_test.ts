import { deepEqual, equal, match } from "node:assert/strict";
import { checkClaims, openStarsPublished, STAR_CLAIMS } from "@/lib/analysis/mod.ts";

const checked = checkClaims(STAR_CLAIMS, await openStarsPublished());

Deno.test("STAR_CLAIMS cover C1 to C16, in their order", () => {
  const numbers = new Set(STAR_CLAIMS.map(({ id }) => Number(id.match(/\d+/)![0])));
  deepEqual([...numbers], Array.from({ length: 17 }, (_, number) => number));
});

Deno.test("STAR_CLAIMS hold and fail as the published figures say", () => {
  const verdicts = (wanted: string): string[] =>
    checked.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  deepEqual(verdicts("fails"), ["C3b", "C4", "C7b", "C12", "C12c", "C12d", "C13", "C14"]);
  deepEqual(verdicts("cannot tell"), []);
  equal(verdicts("holds").length, 14);
});

Deno.test.each(
  [
    ["C3", /means are 0\.952 and 0\.907/],
    ["C3b", /16-32 0\.965 and 0\.988.*64-32 0\.897 and 0\.931/],
    ["C4", /0\.101 in English and 0\.104, 0\.154, 0\.158, 0\.152/],
    ["C5", /26 of 64, 0 .*24 of 64, 0/],
    ["C6", /34 of 64.*92K 34, 104K 34, 120K 36/],
    ["C7", /11 of 32 at 92K and 32 at 100K/],
    ["C8", /GPT-4 0\.27.*Kimi 0\.25/],
    ["C9", /0\.001 apart.*0\.005 apart/],
    ["C11", /GPT-4 finds 30 of 32 and Kimi 1/],
    ["C12b", /50% to 93% .* 11 of 11 panels/],
    ["C12c", /GPT-4 stone 32 16 82%, GPT-4 stone 32 32 58%/],
    ["C12d", /middle third has most in 6 of 6 panels; .* GPT-4 Turbo acquisition 61% and 23%/],
    ["C13", /0\.965, 0\.968, 0\.897; Kimi 0\.988, 0\.864, 0\.931/],
    ["C14", /0\.979 after 0\.968.*0\.846 after 0\.864/],
    ["C16", /begin with 3, the shuffled one with 15/],
  ] as [string, RegExp][],
)("STAR_CLAIMS state the numbers behind %s", (id, observed) => {
  match(checked.find((claim) => claim.id === id)!.observed, observed);
});
