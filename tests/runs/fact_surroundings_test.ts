import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { factSurroundings } from "@/lib/runs/close_up.ts";
import { checkStudy, openStudy } from "@/lib/runs/mod.ts";

const fact = (text: string, rest: Partial<Fact> = {}): Fact => (
  { role: "target", text, key: "key", value: "value", depth: 0.5, tokenOffset: 9, ...rest }
);

Deno.test("factSurroundings() gives the text on both sides, cut to so many characters and at the ends of the prompt", () => {
  const sample = { id: "a", prompt: { user: "0123 needle 4567" }, facts: [fact("needle")] };
  const [wide] = factSurroundings(sample);
  deepEqual([wide?.before, wide?.after], ["0123 ", " 4567"]);
  const [narrow] = factSurroundings(sample, { characters: 3 });
  deepEqual([narrow?.before, narrow?.after], ["23 ", " 45"]);
  const [none] = factSurroundings(sample, { characters: 0 });
  deepEqual([none?.before, none?.after], ["", ""]);
});

Deno.test("factSurroundings() finds two facts of the same words one after the other", () => {
  const sample = { id: "a", prompt: { user: "a needle b needle c" }, facts: [fact("needle"), fact("needle")] };
  deepEqual(factSurroundings(sample, { characters: 2 }).map(({ before, after }) => before + after), ["a  b", "b  c"]);
});

Deno.test("factSurroundings() cuts between characters, never through one", () => {
  const [shown] = factSurroundings({ id: "a", prompt: { user: "😀😀n😀😀" }, facts: [fact("n")] }, { characters: 1 });
  deepEqual([shown?.before, shown?.after], ["😀", "😀"]);
});

Deno.test("factSurroundings() leaves out what has no one place, as counted words", () => {
  const facts = [fact("word", { depth: null, tokenOffset: null })];
  deepEqual(factSurroundings({ id: "a", prompt: { user: "word word" }, facts }), []);
});

Deno.test("factSurroundings() finds every fact of every task where its token offset says that it is", async () => {
  const { tasks, materials } = await openStudy(checkStudy({ tasks: listFamilies().flatMap(({ tasks }) => tasks) }));
  const { tokenizer } = materials;
  for (const task of tasks) {
    const length = Math.max(1024, task.leastLength(materials));
    const sample = task.sample({ length, seed: "42", index: 3, materials });
    const { user } = sample.prompt;
    const shown = factSurroundings(sample, { characters: user.length });
    ok(shown.every(({ before, text, after }) => before + text + after === user), task.name);
    // Tokens can meet the end of the text before a fact in one token.
    const counted = tokenizer.count(sample.prompt.system ?? "");
    const apart = shown.map(({ before, tokenOffset }) => Math.abs(counted + tokenizer.count(before) - tokenOffset!));
    ok(Math.max(0, ...apart) <= 1, `${task.name}: ${Math.max(...apart)}`);
  }
});

Deno.test("factSurroundings() refuses a fact that is not in the prompt", () => {
  throws(() => factSurroundings({ id: "ruler-2/a", prompt: { user: "hay" }, facts: [fact("needle")] }), {
    name: "RangeError",
    message: 'Cannot show a fact of ruler-2/a as its text must stand in the prompt: current value is "needle"',
  });
  equal(factSurroundings({ id: "a", prompt: { user: "hay" }, facts: [] }).length, 0);
});
