import { deepEqual, equal } from "node:assert/strict";
import { defaultSettings, ENDPOINT_OPTIONS } from "@/lib/models/endpoint_options.ts";

const TINY = Number.MIN_VALUE;
const SEED = Number.MAX_SAFE_INTEGER;

// Default, least, most, and the nearest values that are not allowed.
Deno.test.each([
  ["temperature", 0, 0, 2, [-TINY, 2.01]],
  ["topP", undefined, TINY, 1, [0, 1.01]],
  ["seed", undefined, -SEED, SEED, [-SEED - 1, SEED + 1, 0.5]],
  ["maxTokens", undefined, 1, 10_000_000, [0, 10_000_001, 1.5]],
  ["thinkingTokens", 0, 0, 10_000_000, [-1, 10_000_001, 0.5]],
  ["templateTokens", undefined, 0, 100_000, [-1, 100_001, 0.5]],
  ["messageTokens", undefined, 5.5, 1000, [-1, 1001]],
  ["timeoutSeconds", undefined, 0.001, 86_400, [0.0009, 86_400.1]],
  ["firstTokenSeconds", 600, 0.001, 86_400, [0.0009, 86_400.1]],
  ["silenceSeconds", 120, 0.001, 86_400, [0.0009, 86_400.1]],
  ["attempts", 5, 1, 100, [0, 101, 1.5]],
  ["patienceSeconds", 600, 0, 604_800, [-TINY, 604_800.1]],
  ["requestsPerMinute", undefined, TINY, 1_000_000, [0, 1_000_000.1]],
  ["tokensPerMinute", undefined, TINY, 1e12, [0, 1e12 + 1]],
] as [keyof typeof ENDPOINT_OPTIONS, number | undefined, number, number, number[]][])(
  "%s is %s by default, and from %s to %s",
  (name, byDefault, least, most, refused) => {
    const { read, ...option } = ENDPOINT_OPTIONS[name];
    equal(option.byDefault, byDefault);
    deepEqual([read(least), read(most), read(String(most))], [least, most, most]);
    deepEqual(refused.map((value) => read(value)), refused.map(() => undefined));
  },
);

Deno.test("choices and switches have their defaults", () => {
  const choices = Object.entries(ENDPOINT_OPTIONS).flatMap(([name, { byDefault }]) =>
    typeof byDefault === "string" || typeof byDefault === "boolean" ? [[name, byDefault]] : []
  );
  deepEqual(Object.fromEntries(choices), {
    ...{ api: "chat", answerPrefix: "appended", stream: "auto" },
    ...{ continueFlags: false, thinkingInLength: false },
  });
});

Deno.test("the settings of a run have the options that shape answers, and no others", () => {
  deepEqual(Object.keys(defaultSettings()), [
    ...[
      "model",
      "budgetField",
      "api",
      "template",
      "system",
      "answerPrefix",
      "continueFlags",
      "temperature",
      "topP",
      "seed",
    ],
    ...["stop", "maxTokens", "thinkingTokens", "thinkingInside", "templateTokens", "extraBody"],
  ]);
});
