import { createHash } from "node:crypto";
import { defined, type Fields, isFields, sum } from "@/lib/base/mod.ts";
import { MRCR_SCORERS } from "./scorer.ts";
import { HASH_LENGTHS } from "./wording.ts";
import {
  fileFamily,
  joinNeighbours,
  type RefuseField,
  type TestFiles,
  type TestLine,
} from "@/lib/benchmarks/benchmark.ts";
import { type Family, firstAlone, messageFields, type Role, type Sample } from "@/lib/generators/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";

/** Tokens of the longest answers, which models wrote. */
const ANSWER_ROOM = 2048;

/** How rows of authors are scored, which `--samples-file` asks. Their texts are written by models, so that none can be made. */
export const AUTHORS_MRCR: readonly Family[] = ([
  ["openai", "rows of OpenAI's openai/mrcr"],
  ["google", "rows of Google DeepMind's MRCR v2"],
] as const).map(([author, what]) =>
  fileFamily({
    name: `${author}_mrcr`,
    about: `${what}, which are asked as they are, with --samples-file; it makes no samples`,
    asks: /Prepend \w+ to the .+?\.(?= Do not include)/,
    category: "retrieval",
    knobs: {},
    scorers: [MRCR_SCORERS[author]],
    answerRoom: ANSWER_ROOM,
    write: firstAlone,
  })
);

/**
 * The authors' files: OpenAI's `2needle.parquet`, `4needle.parquet` and `8needle.parquet`, whose rows are messages, and Google
 * DeepMind's `mrcr_v2p1_8needle_….csv`, whose rows are one text.
 *
 * OpenAI's rows begin with two messages of the user, which chat templates refuse; they become one, with a blank line between
 * them. Samples about one conversation are a cluster. Lengths are powers of two in the tokens of the prompt; OpenAI's bins count
 * o200k_base and the answer too.
 */
export const MRCR_TEST_FILES: TestFiles = {
  taskOf(name): string | undefined {
    const [, google, openai] = /^(?:mrcr_v2.*?_(\d)needle.*|(\d)needle)$/i.exec(name) ?? [];
    if (google !== undefined) return `google_mrcr_${google}_needles`;
    return openai === undefined ? undefined : `openai_mrcr_${openai}_needles`;
  },
  write({ prompt: { messages }, references: [answer], facts }: Sample): Fields {
    const asked = facts.find(({ role }) => role === "target")!.text;
    return {
      prompt: JSON.stringify(messageFields(messages)),
      answer,
      random_string_to_prepend: answer!.slice(0, -asked.length),
      n_needles: facts.length,
      desired_msg_index: messages.findIndex(({ text }) => text === asked) - 1,
      total_messages: messages.length,
      n_chars: sum(messages, ({ text }) => text.length),
    };
  },
  read(row, refuse): TestLine | null {
    const { prompt, queries, answer } = row;
    if (row["random_string_to_prepend"] !== undefined && prompt !== undefined) return readOpenai(row, refuse);
    if (typeof queries !== "string" || typeof answer !== "string" || row["view_ops"] === undefined) return null;
    const question = String(row["view_ops"]);
    if (!new RegExp(`Prepend \\w{${HASH_LENGTHS.google}} to the `).test(question)) {
      throw refuse(`view_ops must ask to prepend a hash of ${HASH_LENGTHS.google} characters`, question);
    }
    const context = queries.endsWith(question) ? queries.slice(0, -question.length) : queries;
    const task = `google_mrcr_${readNeedles(row, "num_relevant", refuse)}_needles`;
    return { task, input: queries, references: [answer], cluster: clusterOf(context) };
  },
};

function readOpenai(row: Fields, refuse: RefuseField): TestLine {
  const { prompt, answer, random_string_to_prepend: hash } = row;
  if (typeof answer !== "string" || typeof hash !== "string" || hash.length !== HASH_LENGTHS.openai) {
    const wanted = `answer must be a text, and random_string_to_prepend one of ${HASH_LENGTHS.openai} characters`;
    throw refuse(wanted, [answer, hash]);
  }
  const needles = readNeedles(row, "n_needles", refuse);
  const list = typeof prompt === "string" ? parseJson(prompt) : prompt;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isMessage)) {
    throw refuse("prompt must be a JSON list of messages, each with role and content", prompt);
  }
  const given = list.map(({ role, content }) => ({ role, text: content }));
  const messages = joinNeighbours(given, (text, next) => `${text.trimEnd()}\n\n${next}`);
  const [index, count] = [Number(row["desired_msg_index"]), Number(row["total_messages"])];
  return {
    task: `openai_mrcr_${needles}_needles`,
    messages,
    references: [answer],
    cluster: clusterOf(JSON.stringify(messages.slice(0, -1))),
    ...defined({ depth: index >= 0 && index < count ? index / count : undefined }),
  };
}

function readNeedles(row: Fields, column: string, refuse: RefuseField): string {
  const needles = String(row[column]);
  if (["2", "4", "8"].includes(needles)) return needles;
  throw refuse(`${column} must be 2, 4 or 8`, row[column]);
}

function isMessage(value: unknown): value is { readonly role: Role; readonly content: string } {
  return isFields(value) && typeof value["content"] === "string" &&
    /^(?:system|user|assistant)$/.test(`${value["role"]}`);
}

/** Names the conversation that a question is about. */
function clusterOf(conversation: string): string {
  return `context:mrcr/${createHash("sha256").update(conversation).digest("hex").slice(0, 16)}`;
}
