import { type ExplainedModel, REPLY_CLAIMS } from "@/lib/papers/ruler/reply_claims.ts";
import { checkClaims, type CheckedClaim } from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass } from "@/lib/statistics/failures/mod.ts";
import { deepEqual, equal, match } from "node:assert/strict";

/** A hundred wrong replies to common words at a length, of which some copy and some come from knowledge. */
function replies(length: number, copied: number, known: number): ExplainedReply[] {
  const classOf = (at: number): FailureClass => {
    if (at < copied) return "copied";
    return at < copied + known ? "prior knowledge" : "other answer";
  };
  return Array.from({ length: 100 }, (_, at): ExplainedReply => ({
    task: "cwe",
    length,
    value: 0,
    failed: false,
    modes: [{ class: classOf(at), why: "", evidence: [] }],
  }));
}

function model(name: string, copied: readonly [number, number], known: readonly [number, number]): ExplainedModel {
  return { model: name, replies: [...replies(4096, copied[0], known[0]), ...replies(131_072, copied[1], known[1])] };
}

function check(...models: readonly ExplainedModel[]): CheckedClaim {
  return checkClaims(REPLY_CLAIMS, models)[0]!;
}

Deno.test("two behaviours grow across models if each does in two of them", () => {
  const [grows, copies, stays] = [
    model("a", [0, 40], [0, 40]),
    model("b", [0, 40], [20, 20]),
    model("c", [20, 20], [0, 40]),
  ];
  deepEqual([check(grows, copies, stays), check(grows, copies), check(grows)].map(({ verdict }) => verdict), [
    "holds",
    "cannot tell",
    "cannot tell",
  ]);
  match(check(grows).observed, /share of own knowledge grows: a 40\.0 .* share of copies grows: a 40\.0/);
});

Deno.test("two models are no evidence against several, three in which both shrink are", () => {
  const shrinks = (name: string): ExplainedModel => model(name, [40, 0], [40, 0]);
  equal(check(shrinks("a"), shrinks("b")).verdict, "cannot tell");
  equal(check(shrinks("a"), shrinks("b"), shrinks("c")).verdict, "fails");
});

Deno.test("replies that were not published, or asked at one length, leave the claim open", () => {
  match(check().observed, /not published/);
  equal(check({ model: "a", replies: replies(4096, 50, 0) }).isAsked, false);
});
