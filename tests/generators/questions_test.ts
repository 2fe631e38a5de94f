import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { openTestMaterials, withOther } from "./_materials.ts";
import {
  askAll,
  type Asked,
  family,
  firstTargetOffset,
  type HiddenFact,
  hideFacts,
  type Layout,
  PLAIN_TEMPLATE,
  promptText,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  startMessage,
  type Task,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";

// The tasks below differ where their names do not, so nothing is remembered of them.
const materials = withOther(await openTestMaterials("cl100k_base"), { remember: (_key, make) => make() });
const { tokenizer } = materials;
const request = { length: 300, seed: "a", materials };

function taskOf(recipe: (request: RecipeRequest, questions: number) => Recipe, questions: number): Task {
  return family({
    ...{ suite: "asked-1", name: "asked", about: "words", category: "retrieval", tasks: {}, scorers: [allFound] },
    ...{ answerRoom: 10 },
    knobs: { questions: QUESTIONS },
    recipe: (settings, request) => recipe(request, settings.questions),
  }).make({ questions });
}

/** A context of words, with a number for each context, and endings of its questions. */
function wordsThen(endings: readonly string[], answerPrefixes: readonly string[] = endings.map(() => "")): Task {
  return taskOf(({ index }) => {
    const asked = endings.map((ending, question): Asked => ({
      after: [{ measured: measure(ending, tokenizer) }],
      answerPrefix: answerPrefixes[question]!,
      references: (size) => [`${size}/${question}`],
    }));
    const layOut = (size: number): Layout => ({
      before: [],
      context: [{ measured: measure(`${index}${" word".repeat(size)}`, tokenizer) }],
      after: asked[0]!.after,
    });
    return { least: 1, most: Infinity, layOut, ...askAll(asked) };
  }, endings.length);
}

Deno.test("the context is fitted with the longest of its questions, and every question is asked of the same one", () => {
  const endings = ["\nShort?", "\nA question of many more words than the others?", "\nNot so short?"];
  const task = wordsThen(endings, [" It is", " So", " The answer to it is"]);
  for (const context of [0, 1, 7]) {
    const samples = endings.map((_, question) => task.sample({ ...request, index: 3 * context + question }));
    const texts = samples.map(({ prompt }, question) => {
      const text = promptText(prompt);
      ok(text.endsWith(endings[question]!));
      return text.slice(0, -endings[question]!.length);
    });
    equal(new Set(texts).size, 1);
    ok(texts[0]!.startsWith(`${context} word`));
    deepEqual(samples.map(({ references }) => references[0]!.split("/")[1]), ["0", "1", "2"]);
    deepEqual(samples.map(({ prompt }) => prompt.answerPrefix), [" It is", " So", " The answer to it is"]);
    equal(Math.max(...samples.map(({ promptTokens }) => promptTokens)), 290);
    for (const { prompt, promptTokens } of samples) {
      equal(promptTokens, tokenizer.count(promptText(prompt) + prompt.answerPrefix));
    }
  }
});

Deno.test("no question is over the length, whatever the text where it meets the context", () => {
  const pieces = [" ", "\n", "\n\n", " word", "word", "s", "ing", "?", "'", "'s", "...", "7", "漢", "wordword"];
  const piece = fc.constantFrom(...pieces);
  const ending = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(
      fc.array(ending, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 60, max: 90 }),
      (endings, length) => {
        const task = wordsThen(endings);
        const tokens = endings.map((_, index) => {
          const { prompt, promptTokens } = task.sample({ ...request, length, index });
          equal(promptTokens, tokenizer.count(promptText(prompt)));
          return promptTokens;
        });
        const most = Math.max(...tokens);
        ok(most <= length - 10 && most >= length - 14, `${most} of ${length}`);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("a context is drawn once for the questions that are made one after the other", () => {
  const drawn: number[] = [];
  const task = taskOf((request, questions) => {
    if (request.seed === "a") drawn.push(request.index);
    return hideFacts([], request, {
      instructions: "Read.",
      question: Array(questions).fill("What?"),
      references: ["1"],
    });
  }, 8);
  for (let index = 0; index < 17; index++) task.sample({ ...request, index, template: PLAIN_TEMPLATE });
  deepEqual(drawn, [0, 1, 2]);
});

Deno.test("hideFacts() asks a list of questions, each for its own facts, and others are distractors", () => {
  const facts = [0, 1, 2].map((question): HiddenFact => {
    const value = `${3 * question + 11}`;
    return {
      role: "target",
      key: `box ${question}`,
      value,
      text: `Box ${question} holds ${value} keys.`,
      depth: 0.3,
      question,
    };
  });
  const asked = facts.map(({ key }) => `What does ${key} hold?`);
  const { sample } = taskOf(
    (request) => hideFacts(facts, request, { instructions: "Read this.", question: asked }),
    3,
  );
  for (const index of [0, 1, 2, 3, 4]) {
    const made = sample({ ...request, index });
    const question = index % 3;
    deepEqual(made.references, [facts[question]!.value]);
    ok(promptText(made.prompt).endsWith(asked[question]!));
    deepEqual(made.facts.map(({ role }) => role === "target"), [0, 1, 2].map((each) => each === question));
    equal(firstTargetOffset(made), made.facts[question]!.tokenOffset);
    // The text is that of all questions with the same start.
    equal(made.cluster, `text:hidden/a/${Math.floor(index / 3)}`);
  }
});

Deno.test("questions can end a prompt of several turns", () => {
  const asked = ["First?", "And the second, which is longer?"].map((text): Asked => ({
    after: [startMessage("user"), { measured: measure(text, tokenizer) }],
    answerPrefix: "",
    references: () => [text],
  }));
  const task = taskOf(() => ({
    ...{ least: 1, most: Infinity },
    layOut: (size): Layout => ({
      before: [startMessage("user"), { measured: measure("Here is a text.", tokenizer) }],
      context: [{ measured: measure(" word".repeat(size), tokenizer) }, startMessage("assistant"), {
        measured: measure("Go on.", tokenizer),
      }],
      after: asked[0]!.after,
    }),
    ...askAll(asked),
  }), 2);
  const [first, second] = [0, 1].map((index) => task.sample({ ...request, index }));
  deepEqual(first!.prompt.messages.slice(0, 2), second!.prompt.messages.slice(0, 2));
  deepEqual([first, second].map((sample) => sample!.prompt.messages[2]!.text), [
    "First?",
    "And the second, which is longer?",
  ]);
  equal(second!.promptTokens, 290);
});

Deno.test("several questions are refused where the recipe does not give what follows the context", () => {
  const { sample } = taskOf(
    (request) => hideFacts([], request, { instructions: "What?", question: "", references: ["1"] }),
    2,
  );
  throws(() => sample({ ...request, index: 0 }), {
    name: "RangeError",
    message:
      "Cannot make task asked as questions must be 1 as its prompts ask before their contexts: current value is 2",
  });
});
