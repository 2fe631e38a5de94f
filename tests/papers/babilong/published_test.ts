import { deepEqual, equal, ok } from "node:assert/strict";
import { type BabilongCounts, countReplies, readCounts, readReplies, writeCounts } from "./_recorded_replies.ts";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import { originalScores, storyMeans } from "@/lib/papers/babilong/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";

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
  const place = ({ model, prompt, task }: BabilongCounts): string =>
    `${MODELS.indexOf(model as "google/gemini-3-flash-preview")}/${prompt}/${task}`;
  return rows.toSorted((left, right) =>
    place(left) < place(right) ? -1 : place(left) > place(right) ? 1 : left.length - right.length
  );
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

const counts = readCounts(Deno.readTextFileSync(FILE));
const scores = await openEvidence("babilong");

Deno.test("counts can be recovered from the published scores", () => {
  equal(writeCounts(counts), Deno.readTextFileSync(FILE));
});

testOnRealData("the original scores are those that the authors' own code gave", {
  reads: "../field/tables/babilong_rescored.csv",
  fn(): void {
    const [, header = "", ...lines] = readRealText("../field/tables/babilong_rescored.csv").trim().split("\n");
    const names = header.split(",");
    const rescored = lines.map((line) =>
      Object.fromEntries(line.split(",").map((cell, at) => [names[at]!.trim(), cell.trim()]))
    );
    equal(rescored.length, 55);
    for (const { model, task, length, n, correct } of rescored) {
      const tokens = Number(length!.slice(0, -1)) * (length!.endsWith("M") ? 1_000_000 : 1000);
      const row = counts.find((each) => each.model === model && each.task === task && each.length === tokens)!;
      deepEqual([row.n, row.original], [Number(n), Number(correct)], `${task} ${length}`);
    }
  },
});

Deno.test("every cell of both models is counted, and the counts agree with one another", () => {
  equal(counts.length, 55 + 2 * 45);
  equal(new Set(counts.map(({ model, prompt, task, length }) => `${model} ${prompt} ${task} ${length}`)).size, 145);
  for (const { n, failed, original, corrected, gained, lost, question, answer, sentence, words } of counts) {
    equal(corrected, original + gained - lost);
    ok(Math.max(original, corrected, question, answer, sentence, words) <= n - failed);
  }
});

Deno.test("countReplies() keeps failed calls out of both scores", () => {
  const question = "Where is Mary? ";
  const reply = (reply: string): { target: string; reply: string; question: string } => ({
    target: "kitchen",
    reply,
    question,
  });
  deepEqual(
    countReplies([reply("kitchen"), reply("1. kitchen"), reply("garden"), reply("No batch response candidates.")]),
    {
      ...{ n: 4, failed: 1, original: 1, corrected: 2, gained: 1, lost: 0 },
      ...{ question: 0, answer: 0, sentence: 1, words: 0, asked: 0 },
    },
  );
});

Deno.test("readReplies() reads quoted replies of several lines", () => {
  const text =
    ',target,output,question\n0,hallway,"Answer: hall, ""way""\n2",Where is John? \n1,garden,,Where is Mary? \n';
  deepEqual(readReplies(text, "qa1.csv"), [
    { target: "hallway", reply: 'Answer: hall, "way"\n2', question: "Where is John? " },
    { target: "garden", reply: "", question: "Where is Mary? " },
  ]);
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

Deno.test("the corrected score leaves failed calls out", () => {
  const [original, corrected] = ["original", "corrected"].map((scoring) =>
    scores.filter(({ model, knobs }) => model === MODELS[0] && knobs["scoring"] === scoring)
      .reduce((sum, { n }) => sum + n!, 0)
  );
  equal(original! - corrected!, 10);
});
