import { equal, throws } from "node:assert/strict";
import { isPromptCut } from "@/lib/models/mod.ts";

// The counts of the first two rows were reported for Ollama: "truncating input prompt" limit=2048 prompt=5065.
Deno.test.each([
  ["a window of 2,048 tokens", 5065, 2048, {}, true],
  ["the whole prompt", 5065, 5065, {}, false],
  ["a tokenizer that counts a quarter fewer", 4000, 3000, {}, false],
  ["a tokenizer that counts half fewer", 4000, 2000, {}, true],
  ["at the tolerance", 1000, 700, {}, false],
  ["below the tolerance", 1000, 699, {}, true],
  ["a template that adds tokens", 4000, 4011, {}, false],
  ["no count", 4000, undefined, {}, false],
  ["a count of 0, as servers give for a prompt they had before", 4000, 0, {}, false],
  ["the model's own tokenizer", 32768, 31000, { tolerance: 0.02 }, true],
  ["a thinking allowance inside the length", 16000, 8000, { reservedTokens: 8000 }, false],
] as [string, number, number | undefined, { tolerance?: number; reservedTokens?: number }, boolean][])(
  "isPromptCut() with %s",
  (_name, promptTokens, counted, options, want) => {
    const answer = counted === undefined ? {} : { promptTokens: counted };
    equal(isPromptCut({ promptTokens }, answer, options), want);
  },
);

Deno.test("isPromptCut() refuses a tolerance outside [0, 1)", () => {
  for (const tolerance of [-0.1, 1, NaN]) {
    throws(() => isPromptCut({ promptTokens: 1 }, {}, { tolerance }), {
      name: "RangeError",
      message: `Cannot judge a prompt as tolerance must be in [0, 1): current value is ${tolerance}`,
    });
  }
});
