import { deepEqual, equal, ok } from "node:assert/strict";
import { type FactFeatures, openProfile, type Profile, type PromptFeatures, recallOf } from "@/lib/simulated/mod.ts";

const FACT: FactFeatures = {
  depth: 0.5,
  links: 1,
  isChained: false,
  keyLength: 5,
  valueLength: 5,
  sameKey: 1,
  lead: null,
};

function features(
  changes: Partial<PromptFeatures> = {},
  facts: readonly Partial<FactFeatures>[] = [{}],
): PromptFeatures {
  return {
    category: "retrieval",
    tokens: 4096,
    rivals: 0,
    hasExample: false,
    facts: facts.map((fact) => ({ ...FACT, ...fact })),
    ...changes,
  };
}

/** A profile whose log-odds are easy to reckon with. */
function plain(changes: Partial<Profile> = {}): Profile {
  const strength = { level: 0, slope: 1, bend: 0.5 };
  const profile = openProfile("gpt-4");
  return {
    ...profile,
    strengths: {
      "retrieval": strength,
      "multi-hop tracing": strength,
      "aggregation": strength,
      "question answering": strength,
    },
    difficulty: { ...profile.difficulty, middle: 0, recency: 0 },
    rates: { ...profile.rates, whole: 0, copying: 0.5 },
    ...changes,
  };
}

Deno.test("recallOf() follows the logistic curve of the load: level at 4,096, slope and bend above", () => {
  // Log-odds 0, then -(1 + 0.5), then -(2 + 0.5 * 4); below 4,096 the bend does nothing.
  const chance = (logOdds: number): string => (1 / (1 + Math.exp(-logOdds))).toFixed(9);
  for (const [tokens, logOdds] of [[4096, 0], [8192, -1.5], [16_384, -4], [2048, 1]] as const) {
    equal(recallOf(features({ tokens }), plain()).expected.toFixed(9), chance(logOdds));
  }
});

Deno.test("recallOf() multiplies along a chain and over links", () => {
  const chain = recallOf(features({}, [{}, { isChained: true }, { isChained: true }]), plain());
  deepEqual(chain.steps, [0.5, 0.5, 0.5]);
  equal(chain.expected.toFixed(9), ((0.5 + 0.25 + 0.125) / 3).toFixed(9));
  equal(recallOf(features({}, [{ links: 2 }]), plain()).expected, 0.25);
});

Deno.test("recallOf() loses a share of what is lost with the whole reply, more where there is an example", () => {
  // Half is found; with an example half of the other half goes with the reply.
  deepEqual(recallOf(features({ hasExample: true }), plain()), { wholeLoss: 0.25, steps: [0.5], expected: 0.375 });
  equal(recallOf(features(), plain()).wholeLoss, 0);
});

Deno.test("recallOf() loses everything over the window", () => {
  const { wholeLoss, expected } = recallOf(features({ tokens: 5000 }), plain({ window: 4999 }));
  deepEqual([wholeLoss, expected], [1, 0]);
});

Deno.test("recallOf() finds less among rivals, long keys, shared keys, and in the middle", () => {
  const profile = openProfile("yi-34b");
  const found = (changes: Partial<PromptFeatures>, fact: Partial<FactFeatures> = {}): number =>
    recallOf(features({ tokens: 65_536, ...changes }, [fact]), profile).expected;
  const easy = found({});
  ok(found({ rivals: 3 }) < easy);
  ok(found({ rivals: 300 }) < found({ rivals: 3 }));
  ok(found({}, { keyLength: 36 }) < easy);
  ok(found({}, { valueLength: 36 }) < easy);
  ok(found({}, { sameKey: 4 }) < found({}, { sameKey: 2 }));
  ok(found({}, { depth: 0 }) > found({}, { depth: 0.5 }));
  ok(found({}, { depth: 1 }) > found({}, { depth: 0 }));
  const counted = { category: "aggregation", rivals: 20 } as const;
  ok(found(counted, { lead: 2 }) > found(counted, { lead: 0.1 }));
  ok(found({ ...counted, rivals: 2000 }, { lead: 2 }) < found(counted, { lead: 2 }));
});

Deno.test("recallOf() as the ideal reader finds everything, whatever the prompt", () => {
  const hard = features({ tokens: 2_000_000, rivals: 40_000, hasExample: true }, [{ keyLength: 36, sameKey: 8 }]);
  deepEqual(recallOf(hard, openProfile("ideal")), { wholeLoss: 0, steps: [1], expected: 1 });
});
