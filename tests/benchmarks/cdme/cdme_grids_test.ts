import { deepEqual, equal, throws } from "node:assert/strict";
import { cdmeGrid, type CdmeGridName } from "@/lib/benchmarks/cdme/mod.ts";

Deno.test("cdmeGrid() asks as many prompts as OpenCompass's configurations", () => {
  // open-compass/opencompass e975a96f: 8·20·10, 32·20·10 and 13·20·10.
  deepEqual((["8k", "32k", "200k"] as const).map((name) => cdmeGrid(name).prompts), [1600, 6400, 2600]);
});

Deno.test("cdmeGrid() steps by 1,000 tokens, and by 16,000 up to 192,000 and 200,000", () => {
  deepEqual(cdmeGrid("8k").lengths, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
  equal(cdmeGrid("32k").lengths.at(-1), 32_000);
  deepEqual(cdmeGrid("200k").lengths.slice(-3), [176_000, 192_000, 200_000]);
  equal(cdmeGrid("8k").samples, 200);
});

Deno.test("cdmeGrid() refuses a name it does not know", () => {
  throws(() => cdmeGrid("16k" as CdmeGridName), {
    name: "RangeError",
    message: 'Cannot give the grid as its name must be one of 8k, 32k, 200k: current value is "16k"',
  });
});
