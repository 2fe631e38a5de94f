import { type Fields, shortHash } from "@/lib/base/mod.ts";
import { fileSuite, OVERLONG, readTexts, type RefuseField, type TestLine } from "@/lib/benchmarks/benchmark.ts";
import { whole } from "@/lib/generators/mod.ts";
import {
  allFound,
  answerMatch,
  type Grading,
  holdsText,
  type Score,
  type Scorer,
  splitText,
  stripText,
} from "@/lib/scorers/mod.ts";

/** Normalises a text as `normalize_answer` of HELMET's utils.py: lower case, without ASCII punctuation and articles. */
function normaliseAnswer(text: string): string {
  const words = text.toLowerCase().replaceAll(/[!-/:-@[-`{-~]/g, "");
  return splitText(words.replaceAll(/(?<![\p{L}\p{N}])(?:an?|the)(?![\p{L}\p{N}])/gu, " ")).join(" ");
}

/** HELMET's `substring_exact_match`, the best of several answers. */
const substringMatch: Scorer = {
  name: "helmet substring",
  about: "1 if the reply contains any of the answers, without case, punctuation and articles, else 0",
  contains: "any",
  normalise: normaliseAnswer,
  grade(reply, { references }): Grading {
    const [given, answer] = [normaliseAnswer(reply), stripText(reply)];
    const found = references.find((reference) => holdsText(given, normaliseAnswer(reference)));
    const why = found === undefined ? `found none of ${references.length} accepted answers` : `found ${found}`;
    return {
      score: { value: found === undefined ? 0 : 1, answer, why: answer === "" ? "no answer" : why },
      get penalised(): Score {
        return answerMatch(reply, references);
      },
    };
  },
};

/** Reads the answers of a row: a text, a list of texts, or lists of the spellings of several answers. */
function readAnswers(row: Fields, [name, other]: readonly [string, string], refuse: RefuseField): readonly string[] {
  const answers: unknown[] = [row[name] ?? row[other]].flat(2);
  if (answers.length > 0 && answers.every((answer) => typeof answer === "string")) return answers;
  throw refuse(`${name} must be a text or a list of texts`, row[name] ?? row[other]);
}

/** Reads a row of the folder json_kv. */
function readPairs(row: Fields, refuse: RefuseField, shots: number): TestLine {
  const { context, question } = readTexts(row, ["context", "question"], refuse);
  const demos = row["demos"] as readonly unknown[];
  const strange = demos.find((demo) => !Array.isArray(demo) || demo.length !== 2);
  if (strange !== undefined) throw refuse("demos must be a list of keys, each with its value", strange);
  const examples = (demos as [string, string][]).slice(0, shots)
    .map(([key, value]) => `Key: ${key}\nCorresponding value: ${value}`);
  const asked = [...examples, `Key: ${question}`].join("\n\n");
  return {
    input: `${context}\n\nExtract the value corresponding to the specified key in the JSON object below.\n\n${asked}`,
    cut: { part: context, at: "end" },
    task: "helmet_json_kv",
    question,
    answerPrefix: "\nCorresponding value:",
    references: readAnswers(row, ["answer", "answers"], refuse),
    cluster: `question:helmet/${shortHash([question])}`,
  };
}

/** Reads a row of one of the three tasks of RULER that are part of recall. */
function readNeedles(row: Fields, refuse: RefuseField): TestLine {
  const { context, query, type_needle_v: kind } = readTexts(row, ["context", "query", "type_needle_v"], refuse);
  const references = readAnswers(row, ["answer", "outputs"], refuse);
  const isSeveral = references.length > 1;
  // Several keys are those of niah_multiquery; other tasks with one needle hide it in essays.
  if (isSeveral ? /, | and /.test(query) : !context.trimStart().startsWith("One of the special magic")) {
    throw refuse("query and context must be of niah_multikey_2, niah_multikey_3 or niah_multivalue", query);
  }
  const ofOne = kind.startsWith("uuid") ? "mk_3" : "mk_2";
  const [some, what, are] = isSeveral ? ["Some", "What are all", "are"] : ["A", "What is", "is"];
  const magic = `special magic ${kind}`;
  const question = `${what} the ${magic} for ${query} mentioned in the provided text?`;
  return {
    input: `${some} ${magic} ${are} hidden within the following text. Make sure to memorize it. ` +
      `I will quiz you about the ${kind} afterwards.\n${context}\n${question}`,
    cut: { part: context, at: "end" },
    task: `helmet_niah_${isSeveral ? "mv" : ofOne}`,
    question,
    answerPrefix: `\nThe ${magic} for ${query} mentioned in the provided text ${are}`,
    references,
  };
}

/** Reads a row of the folder kilt: its passages, or the context and the examples that the authors' data.py makes of them. */
function readPassages(row: Fields, refuse: RefuseField): TestLine {
  const passages = [row["ctxs"]].flat().map((passage) => {
    const { title, text } = readTexts({ ...passage as Fields }, ["title", "text"], refuse);
    return `Document (Title: ${title}): ${text}`;
  });
  const made = { context: passages.join("\n\n"), demos: "", ...row };
  const { context, demos, question } = readTexts(made, ["context", "demos", "question"], refuse);
  const { id = question, s_pop: views } = row;
  return {
    input: "Use the given documents to write a concise and short answer to the question. Write your answer in the " +
      `following format:\nAnswer: [answer]\n\n${demos}${context}\n\nQuestion: ${question}`,
    cut: { part: context, at: "end" },
    question,
    answerPrefix: "\nAnswer:",
    references: readAnswers(row, ["answer", "answers"], refuse),
    cluster: `question:helmet/${shortHash([String(id)])}`,
    // HELMET leaves out questions about pages of at least 1,000 views (popqa_3).
    ...(views === undefined ? {} : { task: `helmet_popqa${Number(views) < 1000 ? "" : "_popular"}` }),
  };
}

/** The tokens of a reply (recall.yaml, rag.yaml). */
function answerRoom({ name }: { readonly name: string }): number {
  if (/json_kv|mk_3/.test(name)) return 100;
  return name.includes("niah") ? 50 : 20;
}

const RECALL = ["helmet_niah_mk_2", "helmet_niah_mk_3", "helmet_niah_mv", "helmet_json_kv"];
const RAG = ["helmet_nq", "helmet_triviaqa", "helmet_hotpotqa", "helmet_popqa"];

/** HELMET's recall and RAG: Fathom has the prompts and the scores, and the user brings the texts. */
export const HELMET = fileSuite({
  name: "helmet",
  title: "HELMET",
  source: "Yen et al. 2024, arXiv 2410.02694; princeton-nlp/HELMET at 4526dfb",
  about: "rows of HELMET's recall and RAG, asked by --samples-file",
  category: ({ name }) => RECALL.includes(name) ? "retrieval" : "question answering",
  knobs: {
    shots: whole({ from: 0, to: 100, byDefault: 2 }, "examples in the prompts of helmet_json_kv, of those in its rows"),
    overlong: OVERLONG,
  },
  scorers: [substringMatch, allFound],
  scorerOf: ({ name }) => name.includes("niah") ? allFound : substringMatch,
  answerRoom,
  write: (answers, { settings: { name } }) => name.includes("niah") ? answers.join(", ") : answers[0]!,
  groups: [{ name: "HELMET recall", tasks: RECALL }, { name: "HELMET RAG", tasks: RAG }],
  taskOf: (name) => /^(?:nq|triviaqa|hotpotqa|popqa)(?=[-_])/.exec(name)?.[0].replace(/^/, "helmet_"),
  read(row, refuse, { shots = 2 } = {}): TestLine | null {
    if (row["num_kvs"] !== undefined && Array.isArray(row["demos"])) return readPairs(row, refuse, Number(shots));
    if (row["type_needle_v"] !== undefined) return readNeedles(row, refuse);
    return row["ctxs"] === undefined ? null : readPassages(row, refuse);
  },
});
