import { deepEqual, equal, match, throws } from "node:assert/strict";
import { planTasks, smallPlan, sumTask } from "./_fakes.ts";
import { budgetFitNote, fitBudget, parseBudget, withSamples } from "@/lib/asking/mod.ts";
import { checkStudy, statedPace } from "@/lib/studies/mod.ts";

for (
  const [text, of, amount] of [
    ["20USD", "price", 20],
    ["0.5 EUR", "price", 0.5],
    ["7$", "price", 7],
    ["3h", "seconds", 10_800],
    ["90min", "seconds", 5400],
    ["2d", "seconds", 172_800],
    ["5Mtok", "tokens", 5e6],
    ["800ktok", "tokens", 8e5],
  ] as const
) {
  Deno.test(`parseBudget() reads ${text}`, () => deepEqual(parseBudget(text), { text, of, amount }));
}

Deno.test("parseBudget() takes no number alone, nothing of nothing, and no unit that nobody knows", () => {
  for (const text of ["20", "0USD", "-3h", "3 weeks", "usd", ""]) equal(parseBudget(text), undefined);
});

Deno.test("fitBudget() chooses the most samples that a budget is enough for", () => {
  // A sample of each of two tasks at 512 and 1,024 tokens is 3,072 at most, and the plan has three.
  const fit = (text: string) => fitBudget(smallPlan(), parseBudget(text)!);
  const { budget: _budget, ...numbers } = fit("7ktok");
  deepEqual(numbers, { samples: 2, amount: 6144, wanted: 3, wantedAmount: 9216 });
  equal(fit("6144tok").samples, 2);
  equal(fit("6143tok").samples, 1);
  equal(fit("1Mtok").samples, 3);
});

Deno.test("fitBudget() counts money by the prices and time by the pace", () => {
  // A sample of each is 3,008 prompt tokens and 64 to answer.
  const prices = { input: 1000, output: 10_000 };
  equal(fitBudget(smallPlan(), parseBudget("7.3USD")!, { prices }).samples, 2);
  equal(fitBudget(smallPlan(), parseBudget("7.2USD")!, { prices }).samples, 1);
  equal(fitBudget(smallPlan(), parseBudget("1min")!, { pace: statedPace(101) }).samples, 2);
});

for (
  const [what, text, message] of [
    ["less than one sample of each", "3071tok", /one sample of each task at each length, 3,072 tokens: .* is 3071tok$/],
    ["money without prices", "20USD", /price must be in its entry, .* for a budget of 20USD: current value is none$/],
    ["time without a pace", "3h", /earlier run, or --rate be given, for a budget of 3h: current value is no pace$/],
  ] as [string, string, RegExp][]
) {
  Deno.test(`fitBudget() refuses ${what}`, () => {
    throws(() => fitBudget(smallPlan(), parseBudget(text)!), { name: "RangeError", message });
  });
}

Deno.test("budgetFitNote() says what the budget does to the intervals, or that it is enough", () => {
  const note = budgetFitNote(fitBudget(smallPlan(), parseBudget("7ktok")!), 2);
  match(note, /^A budget of 7ktok is enough for 2 samples of each task at each length, at most 6,144 tokens: /);
  match(
    note,
    /about ±48 points, the mean of 2 tasks to ±41\. All 3 would take 9,216 tokens and tell it to ±44, .* to ±35$/,
  );
  match(budgetFitNote(fitBudget(smallPlan(), parseBudget("1Mtok")!), 2), /enough for all of it: 3 samples/);
});

Deno.test("withSamples() never asks for more than the study does", () => {
  const study = checkStudy({ samples: 10 });
  deepEqual([withSamples(study, 4).samples, withSamples(study, 40).samples], [4, 10]);
});

// Two tasks: samples of 512 tokens each at 512, and one of 1,024 tokens each at 1,024 where the study has fewer there.
Deno.test.each([
  [8192, { samples: 5, amount: 7168, wanted: 5, wantedAmount: 7168 }],
  [6144, { samples: 4, amount: 6144, wanted: 5, wantedAmount: 7168 }],
  [3072, { samples: 1, amount: 3072, wanted: 5, wantedAmount: 7168 }],
])("fitBudget() lets a length with fewer samples have all of its own: %i tokens", (tokens, wanted) => {
  const tasks = [sumTask(), sumTask({ name: "other" })];
  const plan = planTasks({ tasks, lengths: [512, 1024], samples: 5, samplesAt: { 1024: 1 } });
  const { budget: _budget, ...fit } = fitBudget(plan, parseBudget(`${tokens}tok`)!);
  deepEqual(fit, wanted);
});
