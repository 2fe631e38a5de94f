import { deepEqual, equal, match } from "node:assert/strict";
import { claimTable, modelClaimTable } from "@/lib/figures/mod.ts";
import type { CheckedClaim } from "@/lib/statistics/mod.ts";

const BODY = { source: "section 1", statement: "It is so.", observed: "It is seen." } as const;
const OWN: CheckedClaim = { ...BODY, id: "X1", kind: "check", quote: "", verdict: "fails" };
const PLACES: CheckedClaim = {
  ...BODY,
  id: "I1",
  kind: "inconsistency",
  quote: "“three were used” against “we used two”",
  verdict: "fails",
};
const STATED: readonly CheckedClaim[] = [
  { ...BODY, id: "P1", kind: "paper", quote: "“it is so”", verdict: "holds" },
  { ...BODY, id: "P2", kind: "paper", quote: "“it is always so”", verdict: "cannot tell" },
];

Deno.test("claimTable() keeps the source's statements apart from checks of ours, whatever their order", () => {
  const { text, note } = claimTable([OWN, STATED[0]!, PLACES, STATED[1]!], { title: "Checked", origin: "published" });
  deepEqual([...text.matchAll(/^ *(P1|P2|I1|X1) +(Stated|Two places|Our check)/gm)].map(([, id, name]) => [id, name]), [
    ["P1", "Stated"],
    ["P2", "Stated"],
    ["I1", "Two places"],
    ["X1", "Our check"],
  ]);
  match(note, /2 claims stated in the source: 1 holds, 0 fail, 1 cannot tell;/);
  match(note, /1 check where two places of the source are compared: 0 hold, 1 fails, 0 cannot tell;/);
  match(note, /1 check of ours, never stated in the source: 0 hold, 1 fails, 0 cannot tell/);
});

Deno.test("modelClaimTable() has a row a model for each claim, and its statement once", () => {
  const [first, second] = [{ ...STATED[0]!, verdict: "fails" as const }, OWN];
  const { text, note } = modelClaimTable(
    [{ model: "small", claims: [STATED[0]!, OWN] }, { model: "large", claims: [first, second] }],
    { title: "Asked of two", origin: { small: "measured", large: "simulated" } },
  );
  deepEqual(
    [...text.matchAll(/(P1|X1) .*?(small|large) +[✓✗] (holds|fails)/g)].map(([, ...cells]) => cells.join(" ")),
    [
      "P1 small holds",
      "P1 large fails",
      "X1 small fails",
      "X1 large fails",
    ],
  );
  equal(text.split("It is so.").length, 3);
  match(note, /2 claims, 2 models/);
});

Deno.test("modelClaimTable() names the claims that no model was asked in its caption, unless none was", () => {
  const [first, second] = STATED as [CheckedClaim, CheckedClaim];
  const claims = [first, { ...second, isAsked: false as const }];
  const options = { title: "Checked", origin: "simulated" } as const;
  const one = modelClaimTable([{ model: "a", claims }, { model: "b", claims }], options);
  match(one.note, /1 claim, 2 models/);
  match(one.caption, / Not asked here: P2\.$/);
  // A claim that one of the models was asked has a row for each.
  match(modelClaimTable([{ model: "a", claims }, { model: "b", claims: STATED }], options).note, /2 claims, 2 models/);
  match(modelClaimTable([{ model: "a", claims: claims.slice(1) }], options).note, /1 claim, 1 model/);
});

Deno.test("claimTable() names the claims that a run did not ask in its caption; a published table has a row for each", () => {
  const claims = [STATED[0]!, { ...STATED[1]!, isAsked: false as const }];
  const [run, paper] = (["measured", "published"] as const).map((origin) =>
    claimTable(claims, { title: "Checked", origin })
  );
  match(run!.note, /1 claim stated in the source: 1 holds, 0 fail, 0 cannot tell/);
  match(run!.caption, / Not asked here: P2\.$/);
  match(paper!.note, /2 claims stated in the source: 1 holds, 0 fail, 1 cannot tell/);
});

Deno.test("modelClaimTable() and claimTable() say why there is no verdict on a control", () => {
  const options = { title: "Checked", origin: "simulated" } as const;
  for (const { text } of [claimTable([], options), modelClaimTable([{ model: "sim:ideal", claims: [] }], options)]) {
    match(text, /no claims[^]*No statement is checked on a simulated reader, a control\./);
  }
});
