import { equal, match, ok } from "node:assert/strict";
import { differentUuids, pairPart } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { stream } from "@/lib/random/mod.ts";
import { countTokens, ENCODING_NAMES, join, measure, openEncoding } from "@/lib/text/mod.ts";

Deno.test("differentUuids() draws every digit of every place equally often", () => {
  const newUuid = differentUuids(stream("digits"));
  const counts = Array.from({ length: 36 }, () => new Map<string, number>());
  const samples = 16_000;
  for (let sample = 0; sample < samples; sample++) {
    const uuid = newUuid();
    match(uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    [...uuid].forEach((digit, place) => counts[place]!.set(digit, (counts[place]!.get(digit) ?? 0) + 1));
  }
  for (const [place, ofPlace] of counts.entries()) {
    if ([8, 13, 18, 23].includes(place)) continue;
    equal(ofPlace.size, 16, `place ${place}`);
    const chiSquare = [...ofPlace.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 15 degrees of freedom: above 44 in one of 10,000 places.
    ok(chiSquare < 44, `place ${place}: ${chiSquare}`);
  }
});

Deno.test("differentUuids() gives none twice, even from a stream that repeats itself", () => {
  let at = 0;
  // Each UUID takes three draws: the first three UUIDs are the same.
  const values = [...Array(9).fill(0.25), 0.5, 0.5, 0.5];
  const next = differentUuids(() => values[at++ % values.length]!);
  equal(next(), "40000000-0000-4000-0000-000040000000");
  equal(next(), "80000000-0000-8000-0000-000080000000");
});

Deno.test.each(ENCODING_NAMES)(
  "pairPart() counts pairs in %s as their object is counted, marked keys too",
  async (name) => {
    const tokenizer = await openEncoding(name);
    const newUuid = differentUuids(stream("parts"));
    const keys = Array.from({ length: 200 }, newUuid);
    keys.splice(50, 3, `*${newUuid().slice(1)}`, `${newUuid().slice(1)}*`, newUuid().replace("-", "*"));
    const parts = keys.map((key, place) =>
      pairPart({ key, value: newUuid() }, {
        ...{ role: "distractor", tokenizer, isFirst: place === 0, isLast: place === keys.length - 1 },
      }).measured
    );
    const whole = join([measure("{", tokenizer), ...parts, measure("}\nAnd?", tokenizer)], tokenizer);
    equal(countTokens(whole, tokenizer), tokenizer.count(whole.text));
  },
);
