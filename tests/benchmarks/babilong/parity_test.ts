import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { realData, testOnRealData } from "../../_real_data.ts";
import { runPython } from "../../_python.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";
import { userText } from "@/lib/generators/mod.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";

const FOLDER = "../field/ref/babilong";
const KINDS = ["qa1", "qa2", "qa3", "qa4", "qa5"] as const;

/** Runs lines of Python beside the authors' code, with JSON in and out. */
function runBeside<Result>(lines: string, input: unknown): Result {
  const program = `import json, sys\nsys.path.insert(0, sys.argv[1])\nasked = json.load(sys.stdin)\n${lines}`;
  return JSON.parse(runPython("python3", ["-c", program, realData(FOLDER).pathname], JSON.stringify(input)));
}

testOnRealData("prompts of qa1 to qa5 are those of prompts.py byte for byte, with and without each part", {
  reads: `${FOLDER}/prompts.py`,
  async fn(): Promise<void> {
    const materials = await openTestMaterials("cl100k_base");
    const both = ["on", "off"] as const;
    const asked = KINDS.flatMap((kind) =>
      both.flatMap((instruction) =>
        both.flatMap((examples) =>
          both.map((postPrompt) => {
            const parts = { instruction, examples, postPrompt };
            const task = BABILONG_TASKS.task(`babilong_${kind}`, parts);
            const sample = task.sample({ length: 900, seed: "parity", index: 0, materials });
            const prompt = userText(sample.prompt);
            const context = prompt.slice(prompt.lastIndexOf("<context>\n") + 10, prompt.lastIndexOf("\n</context>"));
            return { kind, parts, context, question: `${sample.references[1]} `, prompt };
          })
        )
      )
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

/** Pieces of replies: answers, words that contain them, marks that end sentences, and what models write around answers. */
const PIECES = [
  ..."bathroom bedroom garden hallway kitchen office Bill Fred Jeff Mary apple football milk".split(" "),
  ..."Kitchen GARDEN gardener officers summary billion milkman pineapple Alfred bedrooms primary KİTCHEN bıll".split(
    " ",
  ),
  ...". . . , ? ! : \n \n\n - ’ İ ſ K 😀 1. e.g. <context> <example> <CONTEXT> Question question: QUESTION Answer: The most recent location of is in the"
    .split(" "),
];

testOnRealData("10,000 made replies score as metrics.py scores them", {
  reads: `${FOLDER}/metrics.py`,
  async fn(): Promise<void> {
    const draw = stream("babilong", "parity");
    const materials = await openTestMaterials("cl100k_base");
    const samples = KINDS.flatMap((kind) =>
      Array.from({ length: 40 }, (_, index) => {
        const task = BABILONG_TASKS.task(`babilong_${kind}`, { haystack: "none" });
        const { references: [target = "", question = ""] } = task
          .sample({ length: 900, seed: "parity", index, materials });
        return { kind, target, question };
      })
    );
    const asked = Array.from({ length: 10_000 }, () => {
      const sample = pick(draw, samples);
      const pieces = Array.from({ length: integer(draw, { low: 0, high: 7 }) }, () => pick(draw, PIECES));
      pieces.splice(
        integer(draw, { low: 0, high: pieces.length }),
        0,
        draw() < 0.6 ? sample.target : pick(draw, PIECES),
      );
      return { ...sample, reply: pieces.join(draw() < 0.8 ? " " : "") };
    });
    const wanted = runBeside<boolean[]>(
      `from metrics import TASK_LABELS, compare_answers
print(json.dumps([compare_answers(a["target"], a["reply"], a["question"], TASK_LABELS[a["kind"]]) for a in asked]))`,
      asked,
    );
    const scored = asked.map(({ reply, target, question }) => {
      const given = givenAnswers(reply, { target, question }, []);
      return given?.length === 1 && given[0] === target.toLowerCase();
    });
    const different = asked.filter((_, at) => scored[at] !== wanted[at]);
    deepEqual(different, []);
    const right = wanted.filter(Boolean).length;
    ok(right > 2000 && right < 8000, `${right} are right`);
    equal(scored.length, 10_000);
  },
});
