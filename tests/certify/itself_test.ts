import { match } from "node:assert/strict";
import { steadyAdvice } from "@/lib/certify/itself.ts";

const LLAMA = { software: "llama.cpp b11434", flags: "-c 2048 -np 1", temperature: 0, cachedShare: 0.4, inFlight: 1 };

Deno.test.each([
  ["a temperature", { temperature: 0.7 }, /^ask with --temperature 0 instead of 0\.7$/],
  [
    "llama.cpp's cache",
    {},
    /^start both llama-servers with --no-cache-prompt, as 40% of the prompt tokens came from its/,
  ],
  ["another cache", { software: "vLLM 0.11", flags: null }, /^turn the server's prompt cache off, as 40%/],
  [
    "several calls without a cache",
    { flags: "-np 4 --no-cache-prompt", inFlight: 3.6 },
    /^try --concurrency 1, as 3\.6 calls were in flight at a time/,
  ],
  ["nothing recorded", { cachedShare: 0 }, /^no sampling, prompt cache or parallel calls are recorded/],
])("steadyAdvice() follows from what was recorded: %s", (_what, facts, wanted) => {
  match(steadyAdvice({ ...LLAMA, ...facts }), wanted);
});
