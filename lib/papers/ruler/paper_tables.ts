import { CATEGORY_NAMES, type CategoryName, type PublishedModel, type RulerPublished } from "./published.ts";
import {
  COMMON_WORDS,
  FREQUENT_WORDS,
  NIAH,
  QUESTION_ANSWERING,
  VARIABLE_TRACKING,
  zeta,
} from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, lineChart, panels, type Table, table } from "@/lib/figures/mod.ts";
import { type Fact, type Materials, type Sample, type Task, userText } from "@/lib/generators/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

type PublishedBenchmark = RulerPublished["benchmarks"][number];

/** Fathom's row in Table 1. */
const FATHOM: PublishedBenchmark = {
  benchmark: "Fathom",
  averageLength: "any",
  type: "synthetic",
  diverseTasks: true,
  minParametricKnowledge: true,
  controllableContext: true,
};

/** Shows Table 1 of the RULER paper, a comparison of long-context benchmarks, with a last row for Fathom. */
export function benchmarkTable(benchmarks: RulerPublished["benchmarks"]): Table {
  const marked = <Field extends keyof PublishedBenchmark>(field: Field, label: string) =>
    ({ field, label, align: "center", write: mark }) as const;
  return table([...benchmarks, FATHOM], {
    title: "Table 1 of the RULER paper, and what Fathom does",
    caption:
      "“Realistic” is annotated by people, “synthetic” generated, in the paper's words. The last row is ours. Diverse: retrieval, " +
      "chains, aggregation and questions as in RULER; counted stars; threads; one needle in other words, and in Chinese. Parametric " +
      "knowledge: questions are about a generated world, and can be asked without any text as a control. Controllable: exact length, " +
      "depth, distractors and every knob of a task. Realistic only with your own texts (SQuAD, HotpotQA, essays).",
    origin: "published",
    n: `${benchmarks.length} benchmarks of 2023 and 2024`,
    columns: [
      { field: "benchmark", label: "Benchmark & task" },
      { field: "averageLength", label: "Avg len", align: "right" },
      { field: "type", label: "Type" },
      marked("diverseTasks", "Diverse tasks"),
      marked("minParametricKnowledge", "Min. parametric knowledge"),
      marked("controllableContext", "Controllable context"),
    ],
  });
}

/** Returns the sign of a yes or no. */
function mark(value: unknown): string {
  return value === true ? "✓" : "✗";
}

/** Shows Table 4 of the RULER paper: the models evaluated and analysed, with the profile of the simulated reader of each. */
export function modelTable(models: readonly PublishedModel[]): Table {
  return table(models.map((row) => ({ ...row, simulated: profileOf(row) })), {
    title: `Table 4 of the RULER paper: ${models.length} models and series of models`,
    caption:
      "Aligned models are tuned to follow instructions; the others are base models. Context lengths are those that the models' " +
      "authors claim, as printed; the last column marks misprints.",
    origin: "published",
    n: `${models.length} rows`,
    columns: [
      { field: "model", label: "Model" },
      { field: "aligned", label: "Aligned", align: "center", write: mark },
      { field: "size", label: "Size", align: "right" },
      { field: "contextLength", label: "Context length", align: "right" },
      { field: "id", label: "Hugging Face, or API" },
      { field: "simulated", label: "Simulated as" },
      { field: "note", label: "Remark" },
    ],
  });
}

function profileOf({ model }: PublishedModel): string | null {
  const bare = (name: string): string => name.replace(/-7B|\(|\)/g, "").replace(/\s+/g, " ").trim();
  const profile = PUBLISHED_PROFILES.find((each) => bare(each.model) === bare(model));
  return profile === undefined ? null : `sim:${profile.name}`;
}

/** Shows Table 5 of the RULER paper: the settings of its 13 tasks, under the names of RULER's code. */
export function taskSettingsTable(tasks: RulerPublished["tasks"]): Table {
  const rows = tasks.map((row) => ({
    ...row,
    named: [row.paperName, row.subtask ?? []].flat().join(" "),
    other: row.other?.replaceAll(";", "; ").replaceAll(/ {2,}/g, " ") ?? null,
  }));
  return table(rows, {
    title: `Table 5 of the RULER paper: the settings of its ${tasks.length} tasks`,
    caption:
      "Keys, values for each key and keys asked for are those of RULER's code; the remark names the paper's if they differ. A haystack " +
      "of needles consists of other keys and values until the length is full. The last column names the similar task of earlier " +
      "work. A dash marks a setting that a task does not have.",
    origin: "published",
    n: `${tasks.length} tasks`,
    columns: [
      { field: "task", label: "Task" },
      { field: "category", label: "Category", write: (value) => CATEGORY_NAMES[value as CategoryName] },
      { field: "named", label: "In the paper" },
      { field: "haystack", label: "Haystack" },
      { field: "keyType", label: "Keys are" },
      { field: "valueType", label: "Values are" },
      { field: "keys", label: "Keys", digits: 0 },
      { field: "values", label: "Values", digits: 0 },
      { field: "queries", label: "Asked", digits: 0 },
      { field: "other", label: "Other settings, remarks" },
      { field: "alias", label: "Also known as" },
    ],
  });
}

/** A row of RULER's Table 2: a kind of task with a small sample. */
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
}

/** A row before its sample is made; `length` in tokens is as short as the paper's example allows. */
interface Row extends Pick<TaskExample, "task" | "configuration"> {
  readonly make: Task;
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

/** Makes a small sample of each of RULER's eight kinds of task, with the knobs, wording and omissions of the paper's Table 2. */
export function taskExamples(
  { materials, seed = "42" }: { readonly materials: Materials; readonly seed?: string },
): readonly TaskExample[] {
  return ROWS.map(({ task, configuration, make, length, filler = "", shorten }): TaskExample => {
    const sample = make.sample({ length, seed, index: 0, materials });
    const rivals = sample.facts.filter(({ role }) => role === "distractor");
    return {
      task,
      configuration,
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

/** Shows RULER's Table 2 with samples made here; the distractors, coloured in the paper, have their own column. */
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

/** The ranks that the second panel shows. */
const RANKS = 100;

/**
 * Draws Figure 1 of the RULER paper from its formulas: the occurrences of words in the two aggregation tasks, by rank.
 *
 * @param options The uncommon words of the first panel; the number of words N and the exponents, each above 1, of the second.
 */
export function frequencyFigure(
  { uncommon, words, alphas }: {
    readonly uncommon: number;
    readonly words: number;
    readonly alphas: readonly number[];
  },
): Figure {
  const shared = {
    x: "rank",
    y: "frequency",
    xTitle: "Rank of the word",
    yTitle: "Occurrences",
    origin: "published",
    caption: "Occurrences by rank.",
    height: 220,
  } as const;
  const common = lineChart(listRanks(10 + uncommon, (rank) => rank <= 10 ? 30 : 3), {
    ...shared,
    xSpacing: "linear",
    title: "Common words extraction",
    n: `10 common and ${uncommon} other words`,
  });
  const byAlpha = alphas.flatMap((alpha) => {
    const scale = words / zeta(alpha);
    return listRanks(RANKS, (rank) => rank ** -alpha * scale).map((row) => ({ ...row, alpha: `α = ${alpha}` }));
  });
  const frequent = lineChart(byAlpha, {
    ...shared,
    xSpacing: "log",
    ySpacing: "log",
    series: "alpha",
    seriesTitle: "Exponent",
    palette: "ordered",
    title: "Frequent words extraction",
    n: `N = ${words.toLocaleString("en-US")} words, before rounding down`,
  });
  return panels([common, frequent], {
    title: "Word frequencies of the two aggregation tasks, by rank",
    caption:
      "Figure 1 of the paper, from its formulas (section 3.3). Left: common words appear 30 times, all others 3 times. Right: rank k appears k^-α N/ζ(α) times; rank 1 is the noise, which is not asked for.",
  });
}

function listRanks(
  count: number,
  frequencyOf: (rank: number) => number,
): readonly { readonly rank: number; readonly frequency: number }[] {
  return Array.from({ length: count }, (_, place) => ({ rank: place + 1, frequency: frequencyOf(place + 1) }));
}
