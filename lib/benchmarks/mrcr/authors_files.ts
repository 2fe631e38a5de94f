import { createHash } from "node:crypto";
import { defined, sum } from "@/lib/base/mod.ts";
import { googleRatio, openaiRatio } from "./scorer.ts";
import { findQuestion, HASH_LENGTHS } from "./transcript.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import {
  type Family,
  family,
  firstAlone,
  lastText,
  type Message,
  messageFields,
  type Recipe,
  type Sample,
} from "@/lib/generators/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** Tokens of the longest answers, which models wrote. */
const ANSWER_ROOM = 2048;

/** The rows of openai/mrcr, asked by `--samples-file`. */
export const OPENAI_MRCR: Family = authorsFamily("openai_mrcr", "rows of OpenAI's openai/mrcr", openaiRatio);
/** The rows of Google DeepMind's MRCR v2, asked by `--samples-file`. */
export const GOOGLE_MRCR: Family = authorsFamily("google_mrcr", "rows of Google DeepMind's MRCR v2", googleRatio);

/** Declares how samples of authors are scored. Their texts are written by models, so it makes none. */
function authorsFamily(name: string, what: string, scorer: Scorer): Family {
  return family({
    suite: `${name.replace("_", "-")}-1`,
    name,
    about: `${what}, which are asked as they are, with --samples-file; it makes no samples`,
    asks: /Prepend \w+ to the .+?\.(?= Do not include)/,
    category: "retrieval",
    knobs: {},
    tasks: {},
    scorers: [scorer],
    answerRoom: ANSWER_ROOM,
    write: firstAlone,
    recipe(): Recipe {
      throw new RangeError(
        `Cannot make a sample of ${name} as its texts must be the authors' own: ask their files with --samples-file`,
      );
    },
  });
}

/** The numbers of texts that questions of the authors' files count. */
const NEEDLES = ["2", "4", "8"];

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
    const [, google, openai = google] = /^(?:mrcr_v2.*?_(\d)needle.*|(\d)needle)$/i.exec(name) ?? [];
    return openai === undefined ? undefined : `${google === undefined ? "openai" : "google"}_mrcr_${openai}_needles`;
  },
  write({ prompt, references: [answer], facts }: Sample): Readonly<Record<string, unknown>> {
    const asked = facts.find(({ role }) => role === "target")?.text;
    return {
      prompt: JSON.stringify(messageFields(prompt.messages)),
      answer,
      random_string_to_prepend: findQuestion(lastText(prompt))?.hash,
      n_needles: facts.length,
      desired_msg_index: prompt.messages.findIndex(({ text }) => text === asked) - 1,
      total_messages: prompt.messages.length,
      n_chars: sum(prompt.messages, ({ text }) => text.length),
    };
  },
  read(row, refuse): TestLine | null {
    const { prompt, queries, answer } = row;
    if (row["random_string_to_prepend"] !== undefined && prompt !== undefined) return readOpenai(row, refuse);
    if (typeof queries !== "string" || typeof answer !== "string" || row["view_ops"] === undefined) return null;
    const question = String(row["view_ops"]);
    if (findQuestion(question)?.hash.length !== HASH_LENGTHS.google) {
      throw refuse(`view_ops must ask to prepend a hash of ${HASH_LENGTHS.google} characters`, question);
    }
    const needles = String(row["num_relevant"]);
    if (!NEEDLES.includes(needles)) throw refuse("num_relevant must be 2, 4 or 8", row["num_relevant"]);
    const context = queries.endsWith(question) ? queries.slice(0, -question.length) : queries;
    return {
      task: `google_mrcr_${needles}_needles`,
      input: queries,
      references: [answer],
      cluster: clusterOf(context),
    };
  },
};

function readOpenai(row: Parameters<TestFiles["read"]>[0], refuse: Parameters<TestFiles["read"]>[1]): TestLine {
  const { prompt, answer, random_string_to_prepend: hash, n_needles: needles } = row;
  if (typeof answer !== "string" || typeof hash !== "string" || hash.length !== HASH_LENGTHS.openai) {
    const wanted = `answer must be a text, and random_string_to_prepend one of ${HASH_LENGTHS.openai} characters`;
    throw refuse(wanted, [answer, hash]);
  }
  if (!NEEDLES.includes(String(needles))) throw refuse("n_needles must be 2, 4 or 8", needles);
  const messages = mergeTurns(readMessages(prompt, refuse));
  const [index, count] = [Number(row["desired_msg_index"]), Number(row["total_messages"])];
  const depth = index >= 0 && index < count ? index / count : undefined;
  return {
    task: `openai_mrcr_${needles}_needles`,
    messages,
    references: [answer],
    cluster: clusterOf(JSON.stringify(messages.slice(0, -1))),
    ...defined({ depth }),
  };
}

function readMessages(prompt: unknown, refuse: Parameters<TestFiles["read"]>[1]): readonly Message[] {
  const list = typeof prompt === "string" ? parseJson(prompt) : prompt;
  const messages = Array.isArray(list) ? list.map(readMessage) : [];
  if (messages.length > 0 && messages.every((message) => message !== null)) return messages;
  throw refuse("prompt must be a JSON list of messages, each with role and content", prompt);
}

function readMessage(value: unknown): Message | null {
  if (typeof value !== "object" || value === null) return null;
  const { role, content } = value as Readonly<Record<string, unknown>>;
  if (typeof content !== "string") return null;
  return role === "system" || role === "user" || role === "assistant" ? { role, text: content } : null;
}

/** Joins neighbouring messages of one role, with a blank line between them. */
function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { role: last.role, text: `${last.text.trimEnd()}\n\n${message.text}` };
  }
  return merged;
}

/** Names the conversation that a question is about. */
function clusterOf(conversation: string): string {
  return `context:mrcr/${createHash("sha256").update(conversation).digest("hex").slice(0, 16)}`;
}
