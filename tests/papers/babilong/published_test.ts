import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { BABILONG_FIXES, type BabilongFix, givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";
import { BABILONG_MODELS, originalScores } from "@/lib/papers/babilong/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { column, type CsvColumn, csvFormatRow, type Evidence, readCsv, readRows } from "@/lib/statistics/mod.ts";

// The counts are of the recorded replies of github.com/booydar/babilong at 7a6efee, folder babilong_evals; FATHOM_BABILONG names that
// folder. deno test -A tests/papers/babilong/published_test.ts -- --update counts them again.
const folder = Deno.env.get("FATHOM_BABILONG");
const FILE = new URL("../../../data/published/babilong.csv", import.meta.url);
const MODELS = Object.values(BABILONG_MODELS).map(({ model }) => model);
const NAME = /^(qa[1-5])_(\d+)([kM])_instruction_(yes|no)_examples_\4_post_prompt_\4(?:_chat_template_no)?\.csv$/;

/** The message that the authors' files hold where a call of the batch failed. */
const FAILED_CALL = "No batch response candidates.";

/** A recorded reply of the authors' files. */
interface Recorded {
  readonly target: string;
  readonly reply: string;
  readonly question: string;
}

/** The counts beside both scores, as columns of the file. */
const COUNTS = ["gained", "lost", ...BABILONG_FIXES, "asked"] as const;

/** Counts the replies of a cell by both scorers, and those that each correction alone changes. */
function countReplies(replies: readonly Recorded[]): Readonly<Record<string, number>> {
  const answered = replies.filter(({ reply }) => reply !== FAILED_CALL);
  const scored = answered.map((item): Readonly<Record<string, boolean>> => {
    const isRight = (fixes: readonly BabilongFix[]): boolean =>
      String(givenAnswers(item.reply, item, fixes)) === item.target.toLowerCase();
    const [original, corrected] = [isRight([]), isRight(BABILONG_FIXES)];
    const alone = BABILONG_FIXES.map((fix) => [fix, isRight([fix]) !== original]);
    const changes = { gained: corrected && !original, lost: original && !corrected };
    return { original, corrected, ...changes, ...Object.fromEntries(alone) };
  });
  const asked = replies.filter(({ question, target }) => question.toLowerCase().includes(target.toLowerCase()));
  return {
    ...Object.fromEntries(
      ["original", "corrected", ...COUNTS].map((name) => [name, scored.filter((each) => each[name]).length]),
    ),
    n: replies.length,
    failed: replies.length - answered.length,
    asked: asked.length,
  };
}

/** Counts a file of the authors as two rows: failed calls are wrong replies of the original score, and none of the corrected. */
function rowsOf(model: string, name: string): readonly (readonly [place: string, line: string])[] {
  const [, task, number, unit, parts] = NAME.exec(name) ?? [];
  if (task === undefined) return [];
  const anyText = (name: string): CsvColumn<string> => ({ name, wanted: "a text", read: (cell) => cell });
  const columns = { target: anyText("target"), reply: anyText("output"), question: anyText("question") };
  const replies = readRows(Deno.readTextFileSync(`${folder}/${model}/${name}`), { file: name, columns });
  const counted = countReplies(replies);
  const [prompt, length] = [parts === "yes" ? "full" : "none", Number(number) * (unit === "M" ? 1_000_000 : 1000)];
  const place = `${MODELS.findIndex((each) => each === model)}/${prompt}/${task}/${String(length).padStart(7, "0")}`;
  return ["original", "corrected"].map((scoring) => {
    const isOriginal = scoring === "original";
    const n = isOriginal ? counted["n"]! : counted["n"]! - counted["failed"]!;
    const score = Number((100 * counted[scoring]! / n).toFixed(4));
    const knobs = `prompt=${prompt}; scoring=${scoring}`;
    const source = "github.com/booydar/babilong at 7a6efee, babilong_evals";
    const cells = ["BABILong", `babilong_${task}`, knobs, length, null, model, n, score, "published", source];
    const counts = COUNTS.map((count) => isOriginal ? null : counted[count]!);
    return [place, csvFormatRow([...cells, counted["failed"]!, ...counts])];
  });
}

Deno.test("the published counts are those of the authors' recorded replies", { ignore: folder === undefined }, () => {
  const rows = MODELS.flatMap((model) =>
    [...Deno.readDirSync(`${folder}/${model}`)].flatMap(({ name }) => rowsOf(model, name))
  );
  const sorted = rows.toSorted(([one], [other]) => Number(one > other) - Number(one < other));
  const header = ["suite,task,knobs,length,depth,model,n,score,origin,source,failed", ...COUNTS].join();
  const text = [header, ...sorted.map(([, line]) => line)].map((line) => `${line}\n`).join("");
  if (Deno.args.includes("--update")) return Deno.writeTextFileSync(FILE, text);
  equal(Deno.readTextFileSync(FILE), text);
});

Deno.test("countReplies() keeps failed calls out of both scores", () => {
  const replies = ["kitchen", "1. kitchen", "garden", FAILED_CALL]
    .map((reply) => ({ target: "kitchen", reply, question: "Where is Mary? " }));
  const rest = { gained: 1, lost: 0, question: 0, answer: 0, sentence: 1, words: 0, asked: 0 };
  deepEqual(countReplies(replies), { n: 4, failed: 1, original: 1, corrected: 2, ...rest });
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
  const count = (name: string): CsvColumn<number> => column.number(name, { low: 0, high: 1000 });
  const [gained, lost] = [column.optional(count("gained")), column.optional(count("lost"))];
  const rows = await openEvidence("babilong", { failed: count("failed"), gained, lost });
  const cells = Map.groupBy(rows, ({ model, knobs, task, length }) => [model, knobs["prompt"], task, length].join());
  equal(cells.size, 55 + 2 * 45);
  for (const [original, corrected, ...others] of cells.values()) {
    deepEqual([others, corrected!.n! + corrected!.failed], [[], original!.n]);
    ok(rightOf(corrected!) === rightOf(original!) + corrected!.gained! - corrected!.lost!);
  }
});
