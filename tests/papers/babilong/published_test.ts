import { deepEqual, equal, ok } from "node:assert/strict";
import { type BabilongCounts, countReplies, readReplies, writeCounts } from "./_recorded_replies.ts";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import { originalScores, storyMeans } from "@/lib/papers/babilong/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { column, type Evidence, readCsv } from "@/lib/statistics/mod.ts";

// The counts are of the recorded replies of github.com/booydar/babilong at 7a6efee, folder babilong_evals; FATHOM_BABILONG names that
// folder. deno test -A tests/papers/babilong/published_test.ts -- --update counts them again.
const folder = Deno.env.get("FATHOM_BABILONG");
const FILE = new URL("../../../data/published/babilong.csv", import.meta.url);
const MODELS = ["google/gemini-3-flash-preview", "microsoft/Phi-3-mini-128k-instruct"] as const;
const NAME = /^(qa[1-5])_(\d+)([kM])_instruction_(yes|no)_examples_\4_post_prompt_\4(?:_chat_template_no)?\.csv$/;

function countAll(folder: string): readonly BabilongCounts[] {
  const rows = MODELS.flatMap((model) =>
    [...Deno.readDirSync(`${folder}/${model}`)].flatMap(({ name }): readonly BabilongCounts[] => {
      const [, task, number, unit, parts] = NAME.exec(name) ?? [];
      if (task === undefined) return [];
      const replies = readReplies(Deno.readTextFileSync(`${folder}/${model}/${name}`), name);
      return [{
        model,
        prompt: parts === "yes" ? "full" : "none",
        task,
        length: Number(number) * (unit === "M" ? 1_000_000 : 1000),
        ...countReplies(replies),
      }];
    })
  );
  const place = ({ model, prompt, task, length }: BabilongCounts): string =>
    `${MODELS.findIndex((each) => each === model)}/${prompt}/${task}/${String(length).padStart(7, "0")}`;
  return rows.toSorted((left, right) => place(left) < place(right) ? -1 : 1);
}

Deno.test({
  name: "the published counts are those of the authors' recorded replies",
  ignore: folder === undefined,
  fn(): void {
    const text = writeCounts(countAll(folder!));
    if (Deno.args.includes("--update")) return Deno.writeTextFileSync(FILE, text);
    equal(Deno.readTextFileSync(FILE), text);
  },
});

const scores = await openEvidence("babilong");

function rightOf({ score, n }: Pick<Evidence, "score" | "n">): number {
  return Math.round(score * n! / 100);
}

const RESCORED = "../field/tables/babilong_rescored.csv";
testOnRealData("the original scores are those that the authors' own code gave", {
  reads: RESCORED,
  fn(): void {
    const rows = readCsv(readRealText(RESCORED).replace(/^#.*\n/, ""), RESCORED).slice(1);
    const wanted = rows.map(({ fields }) => {
      const [model, task, length = ""] = fields;
      const tokens = Number(length.slice(0, -1)) * (length.endsWith("M") ? 1_000_000 : 1000);
      return [model, task, tokens, ...fields.slice(-2)].join(" ");
    });
    const read = originalScores(scores).filter(({ model }) => model === MODELS[0]).map((row) =>
      [row.model, row.task.replace("babilong_", ""), row.length, row.n, rightOf(row)].join(" ")
    );
    deepEqual([read.length, read.toSorted()], [55, wanted.toSorted()]);
  },
});

Deno.test("every cell of both models is counted by both scores, which agree with each other", async () => {
  const rows = await openEvidence("babilong", {
    failed: column.number("failed", { low: 0, high: 1000 }),
    gained: column.optional(column.number("gained", { low: 0, high: 1000 })),
    lost: column.optional(column.number("lost", { low: 0, high: 1000 })),
  });
  const cells = Map.groupBy(rows, ({ model, knobs, task, length }) => [model, knobs["prompt"], task, length].join());
  equal(cells.size, 55 + 2 * 45);
  for (const [original, corrected, ...others] of cells.values()) {
    deepEqual([others, corrected!.n! + corrected!.failed], [[], original!.n]);
    equal(rightOf(corrected!), rightOf(original!) + corrected!.gained! - corrected!.lost!);
  }
});

Deno.test("countReplies() keeps failed calls out of both scores", () => {
  const question = "Where is Mary? ";
  const replies = ["kitchen", "1. kitchen", "garden", "No batch response candidates."];
  deepEqual(countReplies(replies.map((reply) => ({ target: "kitchen", reply, question }))), {
    ...{ n: 4, failed: 1, original: 1, corrected: 2, gained: 1, lost: 0 },
    ...{ question: 0, answer: 0, sentence: 1, words: 0, asked: 0 },
  });
});

Deno.test("storyMeans() averages the five tasks with equal weight", () => {
  const rows = originalScores(scores);
  const means = storyMeans(rows);
  deepEqual(means.map(({ length }) => length).slice(0, 3), [0, 1000, 2000]);
  const ofFirst = rows.filter(({ model, length }) => model === MODELS[0] && length === 0).map(({ score }) => score);
  equal(ofFirst.length, STORY_KINDS.length);
  equal(means[0]!.score.toFixed(6), (ofFirst.reduce((sum, each) => sum + each) / 5).toFixed(6));
  ok(means.every(({ score, low, high }) => low! < score && score < high!));
});
