import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { decidedByMean, decidedByModels, meanDifference } from "@/lib/papers/evidence/means.ts";
import { endsOf, endsOfKnob, evidenceOfRun, pairsByKnob } from "@/lib/papers/evidence/pairs.ts";
import { type Evidence, type RunReply, summarise } from "@/lib/statistics/mod.ts";

function row(score: number, changes: Partial<Evidence> = {}): Evidence {
  const place = { suite: "s", task: "t", model: "m", length: 1000, depth: null } as const;
  return { ...place, score, n: null, knobs: {}, low: null, high: null, origin: "published", source: "T", ...changes };
}

Deno.test("openEvidence() reads units and published intervals where a file has them", async () => {
  const rows = await openEvidence("needle_threading");
  const drawn = rows.find(({ knobs }) => knobs["threads"] === "2")!;
  deepEqual([drawn.units, drawn.low, drawn.high], [10, 54.4, 78.9]);
  const [single] = rows.filter(({ knobs, units }) => knobs["kind"] === "single_needle" && units === 5);
  // The interval is that of the five haystacks, not of the 55 prompts.
  ok(single!.n === 55 && single!.low! < 70, `${single!.low}`);
});

Deno.test("meanDifference() takes scores without an interval as they are, and single replies pair by pair", () => {
  const pair = (first: Partial<Evidence>, second: Partial<Evidence>) => ({
    ...{ name: "", first: row(80, first), second: row(50, second) },
  });
  equal(meanDifference([]), null);
  equal(meanDifference([pair({}, {})])!.text, "30.0 points");
  const known = { n: 100, low: 70, high: 90 };
  match(meanDifference([pair(known, { ...known, low: 40, high: 60 })])!.text, /^30\.0 points \(95% interval 15\.9 to/);
  const singles = Array.from({ length: 20 }, () => pair({ n: 1 }, { n: 1 }));
  const { low, high, units } = meanDifference(singles)!;
  equal(units, 20);
  ok(low > 10 && high < 45, `${low} ${high}`);
});

Deno.test("meanDifference() of a run counts a text once that several lengths share", () => {
  const reply = (task: string, length: number, value: number, cluster?: string): RunReply => (
    { task, length, value, cluster, failed: false, noAnswer: false, record: { index: 0, seed: "1" } }
  );
  const unitsOf = (cluster?: string) => {
    const replies = ["few", "many"].flatMap((task) =>
      [1, 2, 3].map((at) => reply(task, 1000 * at, task === "few" ? 1 : 0, cluster))
    );
    const tasks = { few: { options: { stars: 2 } }, many: { options: { stars: 9 } } };
    return meanDifference(endsOfKnob(evidenceOfRun({ rows: summarise(replies), tasks }), "stars"))!.units;
  };
  deepEqual([unitsOf(), unitsOf("text")], [3, 1]);
});

Deno.test("decidedByMean() and decidedByModels() leave open what has no two scores", () => {
  const rows = [row(90), row(60, { length: 9000 }), row(90, { model: "o" }), row(95, { model: "o", length: 9000 })];
  equal(decidedByMean("Lost", endsOf(rows)).observed, "Lost: 12.5 points.");
  equal(decidedByMean("Lost", []).isAsked, false);
  const judge = (own: readonly Evidence[]) => decidedByMean("Lost", endsOf(own));
  equal(decidedByModels(rows, judge).verdict, "fails");
  equal(decidedByModels(rows.slice(0, 3), judge).observed, "Lost: 30.0 points.");
  equal(decidedByModels(rows.slice(0, 1), judge).isAsked, false);
});

Deno.test("pairsByKnob() pairs rows whose other knobs are alike", () => {
  const rows = [
    row(90, { knobs: { order: "rising", stars: 2 } }),
    row(60, { knobs: { order: "shuffled", stars: 2 } }),
    row(50, { knobs: { order: "shuffled", stars: 9 } }),
  ];
  deepEqual(pairsByKnob(rows, "order", ["rising", "shuffled"]).map(({ second }) => second.score), [60]);
});
