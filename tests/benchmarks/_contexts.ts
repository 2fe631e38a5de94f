import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { type ChatTemplate, firstTargetOffset, type Materials, type Sample, type Task } from "@/lib/generators/mod.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { answerAs } from "@/lib/simulated/reader.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";

const IDEAL = openProfile("ideal");

/** How the questions of contexts are checked. */
interface ContextOptions {
  readonly materials: Materials;
  readonly length: number;
  readonly template?: ChatTemplate;
  /** The tokens that the longest prompt of a context can be short. */
  readonly slack?: number;
  /** Whether the ideal reader can solve the task. */
  readonly isSolved?: boolean;
}

/** The contexts that are checked of a task. */
const CONTEXTS = 3;

/**
 * Checks the promises of several questions about a context: one text up to the question, a right answer to each, lengths that
 * are never over, one cluster, and the same sample whichever was made before. Returns the samples, by context.
 */
export function checkContexts(task: Task, options: ContextOptions): readonly (readonly Sample[])[] {
  const { materials, length, template = PLAIN_TEMPLATE, slack = 24, isSolved = true } = options;
  const count = Number(task.options["questions"]);
  ok(count > 1);
  const make = (index: number): Sample => task.sample({ length, seed: "contexts", index, materials, template });
  const contexts = Array.from(
    { length: CONTEXTS },
    (_, context) => Array.from({ length: count }, (_, question) => make(context * count + question)),
  );
  for (const samples of contexts) {
    const texts = samples.map(({ prompt }) => template.before + joinPrompt(prompt) + template.after);
    const shared = sharedPrefix(texts);
    // A name can begin as another does: its tokens are counted from the last space or line break.
    const cut = Math.max(shared.lastIndexOf(" "), shared.lastIndexOf("\n"));
    const rest = texts.map((text) => materials.tokenizer.count(text.slice(cut)));
    const budget = length - task.answerRoom;
    const longest = Math.max(...samples.map(({ promptTokens }) => promptTokens));
    ok(longest <= budget && longest >= budget - slack, `${longest} of ${budget}`);
    samples.forEach((sample, question) => {
      const { facts, references, id, promptTokens } = sample;
      ok(id.includes(`questions=${count}`), id);
      for (const { text, tokenOffset } of facts) {
        if (tokenOffset !== null) ok(shared.includes(text), `"${text}" is in the context of ${id}`);
      }
      const targets = facts.filter(({ role }) => role === "target");
      ok(targets.length > 0);
      equal(firstTargetOffset(sample), targets[0]!.tokenOffset);
      // The prompts differ by the tokens of their questions alone.
      const most = samples.findIndex((each) => each.promptTokens === longest);
      ok(Math.abs(longest - promptTokens - (rest[most]! - rest[question]!)) <= 2, `${longest} and ${promptTokens}`);
      if (isSolved) equal(task.scorer.grade(answerAs(IDEAL, sample).text, sample).score.value, 1, id);
      const others = samples.filter((other) => other !== sample);
      for (const other of others) notEqual(other.references.join(), references.join());
    });
    const clusters = new Set(samples.map(({ cluster }) => cluster));
    equal(clusters.size, 1);
    notEqual([...clusters][0], undefined);
  }
  const all = contexts.flat();
  all.forEach(({ index, sha256, cluster, facts }) => {
    make((index + count) % all.length);
    const alone = make(index);
    deepEqual([alone.sha256, alone.cluster, alone.facts], [sha256, cluster, facts]);
  });
  equal(new Set(all.map(({ sha256 }) => sha256)).size, all.length);
  return contexts;
}

/** Returns the text that all texts begin with. */
export function sharedPrefix(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let end = 0;
  while (end < first.length && others.every((text) => text[end] === first[end])) end++;
  return first.slice(0, end);
}
