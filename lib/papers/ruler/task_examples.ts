import {
  COMMON_WORDS,
  FREQUENT_WORDS,
  NIAH,
  QUESTION_ANSWERING,
  VARIABLE_TRACKING,
} from "@/lib/benchmarks/ruler/mod.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { type Fact, type Materials, type Sample, type Task, userText } from "@/lib/generators/mod.ts";

/** A task with a small sample of it, in the form of RULER's Table 2. */
export interface TaskExample {
  /** Such as `Multi-keys NIAH (MK-NIAH)`. */
  readonly task: string;
  /** The knobs in the paper's words. */
  readonly configuration: string;
  /** The sample, with `……` for omissions. */
  readonly example: string;
  readonly answer: string;
  /** Keys and values that resemble the answer; may be empty. */
  readonly distractors: string;
  /** The id of the sample. */
  readonly sample: string;
}

/** A row of the table before its sample is made. */
interface Row {
  readonly task: string;
  readonly configuration: string;
  readonly make: Task;
  /** In tokens; as short as the paper's example allows. */
  readonly length: number;
  /** The name of the text around the facts. */
  readonly filler?: string;
  readonly shorten: (sample: Sample, filler: string) => string;
}

const PAPER = { variant: "paper" } as const;
const NEEDLE = "type_key = word, type_value = number, type_haystack = essay, size_haystack ∝ context length";

const ROWS: readonly Row[] = [
  ...([
    ["Single NIAH (S-NIAH)", "", {}],
    ["Multi-keys NIAH (MK-NIAH)", "num_keys = 2, ", { keys: 2 }],
    ["Multi-values NIAH (MV-NIAH)", "num_values = 2, ", { values: 2 }],
    ["Multi-queries NIAH (MQ-NIAH)", "num_queries = 2, ", { keys: 2, queries: 2 }],
  ] as const).map(([task, knobs, given]) => ({
    task,
    configuration: `${knobs}${NEEDLE}`,
    make: NIAH.make({ ...PAPER, ...given }),
    length: 640,
    filler: "(essays) ",
    shorten: shortenFacts,
  })),
  {
    task: "Variable tracking (VT)",
    configuration: "num_chains = 2, num_hops = 2, size_noises ∝ context length",
    make: VARIABLE_TRACKING.make({ ...PAPER, chains: 2, hops: 2, examples: 0 }),
    length: 640,
    filler: "(noises) ",
    shorten: shortenFacts,
  },
  {
    task: "Common words extraction (CWE)",
    configuration: "freq_cw = 2, freq_ucw = 1, num_cw = 10, num_ucw ∝ context length",
    make: COMMON_WORDS.make({ ...PAPER, examples: 0, common: 10, commonFrequency: 2, uncommonFrequency: 1 }),
    length: 400,
    shorten: shortenWords,
  },
  {
    task: "Frequent words extraction (FWE)",
    configuration: "α = 2, num_word ∝ context length",
    make: FREQUENT_WORDS.make({ ...PAPER, alpha: 2 }),
    length: 320,
    shorten: shortenWords,
  },
  {
    task: "Question answering (QA)",
    configuration: "dataset = a generated world (SQuAD by --squad), num_document ∝ context length",
    make: QUESTION_ANSWERING.make({ ...PAPER, hops: 1 }),
    length: 1024,
    shorten: shortenDocuments,
  },
];

/**
 * Makes a small sample of each of RULER's eight kinds of task, with the knobs and the wording of the paper's Table 2, and shortens it
 * as the paper does.
 */
export function taskExamples(
  { materials, seed = "42" }: { readonly materials: Materials; readonly seed?: string },
): readonly TaskExample[] {
  return ROWS.map(({ task, configuration, make, length, filler = "", shorten }): TaskExample => {
    const sample = make.sample({ length, seed, index: 0, materials });
    const rivals = sample.facts.filter(({ role }) => role === "distractor");
    return {
      task,
      configuration,
      sample: sample.id,
      example: shorten(sample, filler),
      answer: answersOf(sample).join(" "),
      distractors: rivals.map(({ key, value }) => value === "" ? key : `${key}: ${value}`).join(", "),
    };
  });
}

/** A question needs one of several right answers; other tasks need all. */
function answersOf({ references, facts }: Sample): readonly string[] {
  const documents = facts.filter(({ role, key }) => role === "target" && key.startsWith("Document "));
  return documents.length > 0 ? references.slice(0, 1) : references;
}

const LEFT_OUT = " …… ";

/** Keeps the facts in the order of the text, then the question. */
function shortenFacts({ prompt, facts }: Sample, filler: string): string {
  const user = userText(prompt);
  let end = 0;
  const parts = facts.map(({ text }) => {
    const at = user.indexOf(text, end);
    const isNext = end > 0 && user.slice(end, at).trim() === "";
    end = at + text.length;
    return `${isNext ? " " : LEFT_OUT}${text}`;
  });
  return `${filler.trimEnd()}${parts.join("")}${LEFT_OUT}${questionOf(user)}`;
}

const MAX_WORDS = 36;

/** Keeps the first words of the list, each stretch of noise as one sign, then the question. */
function shortenWords({ prompt }: Sample): string {
  const user = userText(prompt);
  const list = user.slice(0, user.lastIndexOf("\n")).split("\n").at(-1)!.replace(/^.*coded words\. /, "");
  const words = list.replaceAll(/…(?: …)+/g, "…").split(" ").slice(0, MAX_WORDS);
  return `${words.join(" ")}${LEFT_OUT}${questionOf(user)}`;
}

/** Keeps one sentence of the document with the answer and of two others, then the question. */
function shortenDocuments({ prompt, facts }: Sample): string {
  const user = userText(prompt);
  const target = facts.findIndex(({ role }) => role === "target");
  const first = Math.max(0, Math.min(target - 1, facts.length - 3));
  const documents = facts.slice(first, first + 3).map((fact) => `${fact.key}: …… ${sentenceOf(fact)} ……`);
  return `${documents.join(" ")} Question: ${questionOf(user)}`;
}

/** Returns the sentence of a document that has the answer, or the first. */
function sentenceOf({ text, value }: Fact): string {
  const sentences = text.match(/[^.]+\.(?=\s|$)/g) ?? [text];
  return (sentences.find((sentence) => value !== "" && sentence.includes(value)) ?? sentences[0]!).trim();
}

/** Returns the last line: every wording of RULER ends with the question. */
function questionOf(user: string): string {
  return user.trimEnd().split("\n").at(-1)!.replace(/^Question: /, "");
}

/**
 * Shows RULER's Table 2 with samples made here; the distractors, coloured in the paper, have a column of their own.
 *
 * @throws {RangeError} If there are no examples.
 */
export function taskExampleTable(examples: readonly TaskExample[]): Table {
  return table(examples, {
    title: "Table 2 of the RULER paper: its kinds of task, each with a sample made here",
    caption:
      "In the paper's wording and with its knobs; “……” marks omissions. The paper's words are placeholders (aaa bbb ccc), these are " +
      "real samples. In the words tasks, distractors are other words with their counts.",
    origin: "published",
    n: "one sample each, nothing measured",
    columns: [
      { field: "task", label: "Task" },
      { field: "configuration", label: "Configuration", write: String },
      { field: "example", label: "Example", write: String },
      { field: "answer", label: "Answer", write: String },
      { field: "distractors", label: "Distractors", write: (text) => text === "" ? "–" : String(text) },
    ],
  });
}
