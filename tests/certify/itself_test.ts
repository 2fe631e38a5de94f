import { match } from "node:assert/strict";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { steadyAdvice, steadyFacts } from "@/lib/certify/itself.ts";

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

Deno.test("steadyFacts() has the calls in flight and the share of cached tokens", () => {
  const reply = (second: number): ScoredReply => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const answer = { kind: "answer", text: "", promptTokens: 100, cachedTokens: 25, latencyMs: 2000, attempts: 1 };
    return { record: { time, reply: answer } } as unknown as ScoredReply;
  };
  const { software, flags, temperature } = LLAMA;
  const advice = (seconds: readonly number[]) =>
    steadyAdvice({
      ...steadyFacts(seconds.map(reply), { software, flags, temperature }),
      cachedShare: 0,
    });
  match(advice([2, 2, 4, 4]), /as 2\.0 calls were in flight/);
  match(advice([2, 4, 6]), /^no sampling/);
  match(steadyAdvice(steadyFacts([2, 4].map(reply), { software, flags, temperature })), /as 25% of the prompt tokens/);
});
