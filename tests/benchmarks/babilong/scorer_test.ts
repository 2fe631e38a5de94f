import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { runPython } from "../../_python.ts";
import { realData, testOnRealData } from "../../_real_data.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { BABILONG_FIXES, type BabilongFix, givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";
import { STORY_KINDS, type StoryKind } from "@/lib/benchmarks/babilong/story.ts";
import { type Sample, type Task, userText } from "@/lib/generators/mod.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";

// tests/data/golden_replies.jsonl has replies with their scores by the authors' code, and without its faults.

Deno.test("each correction changes only replies with its fault", () => {
  const changes = (reply: string, target = "kitchen", question = "Where is Mary?"): readonly BabilongFix[] => {
    const given = (fixes: readonly BabilongFix[]): string => String(givenAnswers(reply, { target, question }, fixes));
    return BABILONG_FIXES.filter((fix) => given([fix]) !== given([]));
  };
  deepEqual(changes("kitchen"), []);
  deepEqual(changes("kitchen \nQuestion: garden"), ["question", "sentence"]);
  deepEqual(changes("garden, Answer: kitchen"), ["answer"]);
  deepEqual(changes("I see. kitchen"), ["sentence"]);
  deepEqual(changes("a billionaire", "Bill", "Who received the apple?"), ["words"]);
});

const materials = await openTestMaterials("cl100k_base");

/** Pieces of replies: answers, words that contain them, marks that end sentences, and what models write around answers. */
const PIECES = [
  ..."bathroom bedroom garden hallway kitchen office Bill Fred Jeff Mary apple football milk".split(" "),
  ..."Kitchen GARDEN gardener officers summary billion milkman pineapple Alfred bedrooms primary KİTCHEN bıll".split(
    " ",
  ),
  ...". . . , ? ! : \n \n\n - ’ İ ſ K 😀 1. e.g. <context> <example> <CONTEXT> Question question: QUESTION Answer: The most recent location of is in the"
    .split(" "),
];

/** Makes a reply to a sample out of pieces. */
function makeReply(index: number): Pick<Sample, "references"> & { kind: StoryKind; task: Task; reply: string } {
  const draw = stream("babilong", "parity", index);
  const kind = pick(draw, STORY_KINDS);
  const task = BABILONG_TASKS.task(`babilong_${kind}`, { haystack: "none" });
  const place = { length: 900, seed: "parity", index: integer(draw, { low: 0, high: 39 }), materials };
  const { references } = task.sample(place);
  const pieces = Array.from({ length: integer(draw, { low: 0, high: 7 }) }, () => pick(draw, PIECES));
  const answer = draw() < 0.6 ? references[0]! : pick(draw, PIECES);
  pieces.splice(integer(draw, { low: 0, high: pieces.length }), 0, answer);
  return { task, kind, references, reply: pieces.join(draw() < 0.8 ? " " : "") };
}

Deno.test("a reply scores the same as the part of it that a scorer extracts", () => {
  for (const scorer of BABILONG_TASKS.scorers) {
    for (let index = 0; index < 300; index++) {
      const { reply, references } = makeReply(index);
      const [whole, part] = [reply, scorer.extract!(reply)!].map((text) =>
        scorer.grade(text, { references }).score.value
      );
      equal(part, whole, reply);
    }
  }
});

const FOLDER = "../field/ref/babilong";

/** Runs lines of Python beside the authors' code, with JSON in and out. */
function runBeside<Result>(lines: string, input: unknown): Result {
  const program = `import json, sys\nsys.path.insert(0, sys.argv[1])\nasked = json.load(sys.stdin)\n${lines}`;
  return JSON.parse(runPython("python3", ["-c", program, realData(FOLDER).pathname], JSON.stringify(input)));
}

testOnRealData("10,000 made replies score as metrics.py scores them", {
  reads: `${FOLDER}/metrics.py`,
  fn(): void {
    const made = Array.from({ length: 10_000 }, (_, index) => makeReply(index));
    const wanted = runBeside<boolean[]>(
      `from metrics import TASK_LABELS, compare_answers
print(json.dumps([compare_answers(a["references"][0], a["reply"], a["references"][1], TASK_LABELS[a["kind"]]) for a in asked]))`,
      made.map(({ kind, references, reply }) => ({ kind, references, reply })),
    );
    const scored = made.map(({ task, ...item }) => task.scorer.grade(item.reply, item).score.value === 1);
    deepEqual(made.filter((_, at) => scored[at] !== wanted[at]), []);
    const right = wanted.filter(Boolean).length;
    ok(right > 2000 && right < 8000, `${right} are right`);
  },
});

testOnRealData("prompts of qa1 to qa5 are those of prompts.py byte for byte, with and without each part", {
  reads: `${FOLDER}/prompts.py`,
  fn(): void {
    const asked = STORY_KINDS.flatMap((kind) =>
      Array.from({ length: 8 }, (_, bits) => {
        const [instruction, examples, postPrompt] = [1, 2, 4].map((bit) => (bits & bit) === 0 ? "on" : "off");
        const parts = { instruction, examples, postPrompt } as const;
        const task = BABILONG_TASKS.task(`babilong_${kind}`, parts as Parameters<typeof BABILONG_TASKS.make>[0]);
        const sample = task.sample({ length: 900, seed: "parity", index: 0, materials });
        const prompt = userText(sample.prompt);
        const context = prompt.slice(prompt.lastIndexOf("<context>\n") + 10, prompt.lastIndexOf("\n</context>"));
        return { kind, parts, context, question: `${sample.references[1]} `, prompt };
      })
    );
    const wanted = runBeside<string[]>(
      `from prompts import DEFAULT_PROMPTS, get_formatted_input
def one(ask):
    texts = DEFAULT_PROMPTS[ask["kind"]]
    part = lambda ours, theirs: texts[theirs] if ask["parts"][ours] == "on" else ""
    return get_formatted_input(ask["context"], ask["question"], part("examples", "examples"),
                               part("instruction", "instruction"), part("postPrompt", "post_prompt"))
print(json.dumps([one(ask) for ask in asked]))`,
      asked,
    );
    deepEqual(asked.map(({ prompt }) => prompt), wanted);
  },
});
