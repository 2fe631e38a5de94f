import { equal } from "node:assert/strict";
import { differentUuids, pairPart } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { stream } from "@/lib/random/mod.ts";
import { countTokens, ENCODING_NAMES, join, measure, openEncoding } from "@/lib/text/mod.ts";

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
