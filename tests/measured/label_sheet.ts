/**
 * Writes a sheet of wrong replies for people who label them: all that is needed to see why each is wrong, and nothing of what
 * Fathom itself thinks of it.
 *
 *     deno run -A tests/measured/label_sheet.ts --runs FOLDER --out sheet.jsonl --each 2 [RUN …]
 *
 * Replies are picked evenly over models, tasks and lengths, in the order of a hash, without those that are labelled already.
 * The same call writes the picked replies with their recipes beside it (`sheet.replies.jsonl`), in the form of
 * `data/measured/labels/replies.jsonl.gz`. Labels of the sheet are added to `labels.jsonl` by hand.
 */
import { parseArgs } from "node:util";
import { type LabelledReply, readLabels, remake, replyId } from "./_labels.ts";
import { type Fact, type Sample, userText } from "@/lib/generators/mod.ts";
import { makeTasks } from "@/lib/studies/mod.ts";
import { readScoredRun, type ScoredReply } from "@/lib/records/mod.ts";

/** One reply as a labeller sees it. */
interface SheetEntry {
  readonly id: string;
  readonly task: string;
  readonly length: number;
  readonly score: number;
  readonly scoring: string;
  readonly asked: string;
  readonly references: readonly string[];
  readonly targets: readonly string[];
  readonly others: readonly string[];
  /** How many facts of each role the prompt has. */
  readonly counts: Readonly<Record<string, number>>;
  readonly finish: string;
  readonly budget: string;
  readonly reply: string;
  /** Stretches of the reply that stand in the prompt word for word, and where. */
  readonly copied: readonly string[];
  /** Words, numbers and codes of the reply, and where they stand. */
  readonly pieces: readonly string[];
}

const { values: flags, positionals } = parseArgs({
  options: {
    runs: { type: "string", default: "results/runs" },
    out: { type: "string", default: "sheet.jsonl" },
    each: { type: "string", default: "2" },
    most: { type: "string", default: "1000" },
  },
  allowPositionals: true,
});

const LEAST_COPIED = 4;

const known = new Set((await readLabels()).map(({ id }) => id));
const entries: SheetEntry[] = [];
const kept: LabelledReply[] = [];
for (const name of positionals) {
  const run = await readScoredRun(name, { folder: flags.runs });
  const { template, study } = run.manifest;
  const wrong = run.replies.filter(({ value }) => value !== null && value < 1).map((scored) => ({
    scored,
    id: replyId(scored.record),
  })).filter(({ id }) => !known.has(id)).sort((left, right) => left.id.slice(-16) < right.id.slice(-16) ? -1 : 1);
  for (const cell of Map.groupBy(wrong, ({ scored }) => `${scored.task}/${scored.length}`).values()) {
    for (const { scored, id } of cell.slice(0, Number(flags.each))) {
      const { record } = scored;
      const tasks = study.tasks.filter((choice) =>
        makeTasks({ ...study, tasks: [choice] }).some(({ name }) => name === record.task)
      ).slice(0, 1);
      const reply = { id, study: { ...study, tasks }, template, record };
      kept.push(reply);
      entries.push(describe(id, await remake(reply), scored));
    }
  }
}
const most = Number(flags.most);
await Deno.writeTextFile(flags.out, entries.slice(0, most).map((entry) => `${JSON.stringify(entry)}\n`).join(""));
await Deno.writeTextFile(
  flags.out.replace(/\.jsonl$/, ".replies.jsonl"),
  kept.slice(0, most).map((entry) => `${JSON.stringify(entry)}\n`).join(""),
);
console.log(`${Math.min(most, entries.length)} replies in ${flags.out}`);

function describe(id: string, sample: Sample, { record, value }: ScoredReply): SheetEntry {
  const { reply, scoring, references, task, length } = record;
  if (reply.kind === "failure") throw new RangeError(`Cannot show ${id} as its call failed`);
  const { answerPrefix = "" } = sample.prompt;
  const user = userText(sample.prompt);
  const prompt = `${user}${answerPrefix}`;
  const targets = sample.facts.filter(({ role }) => role === "target");
  const others = sample.facts.filter((fact) => fact.role !== "target" && isSaid(fact, reply.text));
  return {
    id,
    task,
    length,
    score: value!,
    scoring,
    asked: `…${prompt.slice(-420)}`,
    references,
    targets: targets.slice(0, 40).map(factText),
    others: others.slice(0, 30).map(factText),
    counts: Object.fromEntries(
      Map.groupBy(sample.facts, ({ role }) => role).entries().map(([role, facts]) => [role, facts.length]),
    ),
    finish: reply.finishReason,
    budget: `${reply.completionTokens ?? "?"} of ${sample.answerRoom} tokens`,
    reply: reply.text,
    copied: listCopies(reply.text, prompt),
    pieces: listPieces(reply.text, prompt, sample.facts),
  };
}

function isSaid({ key, value, text }: Fact, reply: string): boolean {
  const said = reply.toLowerCase();
  return [key, value, text].some((part) => part.length > 2 && said.includes(part.toLowerCase())) ||
    value.length > 6 && said.includes(value.slice(0, 6).toLowerCase());
}

function factText({ role, key, value, depth }: Fact): string {
  return `${role}: ${key} = ${value}${depth === null ? "" : ` @${(100 * depth).toFixed(0)}%`}`;
}

/** Stretches of at least four words, the longest from each place on. */
function listCopies(reply: string, prompt: string): string[] {
  const words = [...reply.matchAll(/\S+/g)];
  const source = prompt.replaceAll(/\s+/g, " ");
  const copies: string[] = [];
  for (let start = 0; start < words.length && copies.length < 12;) {
    const row = (size: number): string => words.slice(start, start + size).map(([word]) => word).join(" ");
    let size = LEAST_COPIED;
    if (start + size > words.length || !source.includes(row(size))) {
      start++;
      continue;
    }
    while (start + size < words.length && source.includes(row(size + 1))) size++;
    const at = source.indexOf(row(size));
    copies.push(`${size} words at ${(100 * at / source.length).toFixed(0)}%: ${shorten(row(size))}`);
    start += size;
  }
  return copies;
}

function shorten(text: string): string {
  return text.length <= 130 ? text : `${text.slice(0, 80)} … ${text.slice(-40)}`;
}

/** Numbers, codes, names and rarer words of a reply, each once, with how often and where they stand in the prompt. */
function listPieces(reply: string, prompt: string, facts: readonly Fact[]): string[] {
  const pieces = new Set(
    Array.from(reply.matchAll(/[\p{L}\p{N}]+(?:[-'’.][\p{L}\p{N}]+)*/gu), ([piece]) => piece)
      .filter((piece) => /\d/.test(piece) || /^\p{Lu}/u.test(piece) || piece.length > 4 || piece.includes("-")),
  );
  const lowered = prompt.toLowerCase();
  return [...pieces].slice(0, 30).map((piece) => {
    const [places, at] = countPlaces(lowered, piece.toLowerCase());
    if (places === 0) return `${piece}: nowhere`;
    const holder = facts.find(({ key, value }) => key === piece || value === piece) ??
      facts.find(({ text }) => text.includes(piece));
    const of = holder ? ` (${factText(holder)})` : ` "…${prompt.slice(Math.max(0, at - 30), at + piece.length + 20)}…"`;
    return `${piece}: ${places}x, first at ${(100 * at / prompt.length).toFixed(0)}%${of.replaceAll("\n", "\\n")}`;
  });
}

/** How often a piece stands in a text, not inside a longer word, and where first. */
function countPlaces(text: string, piece: string): [places: number, first: number] {
  let [places, first] = [0, -1];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    if (/[a-z0-9]/.test(text[at - 1] ?? " ") || /[a-z0-9]/.test(text[at + piece.length] ?? " ")) continue;
    if (places++ === 0) first = at;
  }
  return [places, first];
}
