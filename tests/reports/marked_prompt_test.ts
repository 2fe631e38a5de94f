import { deepEqual, equal, ok } from "node:assert/strict";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { type Fact, PLAIN_TEMPLATE, promptText, type Sample, userPrompt } from "@/lib/generators/mod.ts";
import { chatTemplate, joinPrompt } from "@/lib/models/mod.ts";
import { markPrompt, type PromptPart } from "@/lib/reports/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";

const fact = (text: string, rest: Partial<Fact> = {}): Fact => (
  { role: "target", text, key: "key", value: "value", depth: 0.5, tokenOffset: 9, ...rest }
);

const sampleOf = (user: string, facts: readonly Fact[], references: readonly string[]): Sample =>
  ({ prompt: userPrompt(user, { answerPrefix: " It is" }), facts, references }) as unknown as Sample;

/** The marked stretches of a part, as texts. */
function markedTexts({ text, marks }: PromptPart): string[] {
  return marks.map(([from, to, kind]) => `${kind}: ${text.slice(from, to)}`);
}

Deno.test("markPrompt() marks facts where they are planted, and wanted and given answers everywhere as whole words", () => {
  const facts = [fact("Key is 417."), fact("Key is 555.", { role: "distractor" })];
  const user = "417 hay. Key is 417. 4170 and x417 hay. Key is 555. Which key?";
  const [message, prefix] = markPrompt(sampleOf(user, facts, ["417", "a"]), {
    modes: [{ evidence: [{ given: "555" }] }],
  });
  deepEqual([message!.role, prefix!.role, prefix!.text], ["user", "answer prefix", " It is"]);
  deepEqual(markedTexts(message!), [
    ...["answer: 417", "target: Key is ", "answer: 417", "target: ."],
    ...["distractor: Key is ", "given: 555", "distractor: ."],
  ]);
});

Deno.test("markPrompt() keeps the ends of a message and the text around its marks", () => {
  const user = `${"a".repeat(500)} Key is 417. ${"b".repeat(500)}`;
  const [message] = markPrompt(sampleOf(user, [fact("Key is 417.")], ["417"]), { characters: 10 });
  const kept = message!.kept.map(([from, to]) => user.slice(from, to));
  deepEqual(kept, ["a".repeat(10), `${"a".repeat(9)} Key is 417. ${"b".repeat(9)}`, "b".repeat(10)]);
  const template = { ...PLAIN_TEMPLATE, before: "<user>", after: "<model>" };
  const around = markPrompt(sampleOf(user, [], []), { template }).filter(({ text }) => text !== user);
  deepEqual(around.map(({ text, kept }) => [text, kept]), [
    ...[["<user>", [[0, 6]]], ["<model>", [[0, 7]]], [" It is", [[0, 6]]]],
  ]);
});

Deno.test("markPrompt() leaves out the messages of a conversation without a mark, except the first and the last", () => {
  const messages = ["first", "second", "third has the needle", "fourth", "which?"].map((text, at) => (
    { role: at % 2 === 0 ? "user" : "assistant", text } as const
  ));
  const sample = { prompt: { messages }, facts: [fact("the needle")], references: [] } as unknown as Sample;
  const parts = markPrompt(sample).filter(({ role }) => role !== "template");
  deepEqual(parts.map(({ kept }) => kept.length > 0), [true, false, true, false, true]);
});

Deno.test("markPrompt() finds every placed fact of every task, and its parts are what is sent", async () => {
  const names = listFamilies().flatMap(({ tasks }) => tasks);
  const { tasks, materials } = await openStudy(checkStudy({ tasks: names }));
  const templates = [PLAIN_TEMPLATE, chatTemplate("meta-chat")];
  for (const task of tasks) {
    const length = Math.max(1024, task.leastLength(materials));
    for (const template of templates) {
      const request = { length, seed: "42", index: 3, materials, template };
      let sample: Sample;
      try {
        sample = task.sample(request);
      } catch {
        // A template without texts between turns cannot send a conversation.
        continue;
      }
      const parts = markPrompt(sample, { template, characters: 0 });
      const sent = joinPrompt({ ...sample.prompt }, template);
      if (sample.prompt.wrapping === undefined) equal(parts.map(({ text }) => text).join(""), sent, task.name);
      const placed = sample.facts.filter(({ depth }) => depth !== null);
      const count = (text: string): number => promptText(sample.prompt).split(text).length - 1;
      const shown = parts.flatMap(({ marks, text }) => marks.map(([from, to]) => text.slice(from, to))).join("");
      ok(placed.every(({ text }) => count(text) > 0 && shown.includes(text)), task.name);
      ok(parts.every(({ marks }) => marks.every(([from, to], at) => from < to && from >= (marks[at - 1]?.[1] ?? 0))));
    }
  }
});
