import { type Benchmark, listFamilies } from "@/lib/benchmarks/mod.ts";
import {
  type ChatTemplate,
  type GivenKnobs,
  identify,
  type Knobs,
  PLAIN_TEMPLATE,
  type Sample,
  type Task,
} from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { type MaterialsOptions, type OpenMaterials, openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

/** A sample made again from its id, with its task. */
export interface NamedSample {
  readonly sample: Sample;
  readonly task: Task;
}

/** Makes samples again from their ids. */
export interface SampleIds {
  /**
   * Makes the task of an id, whatever its tokenizer and materials.
   *
   * @throws {RangeError} If no benchmark has the suite, the task and the knobs.
   */
  taskOf(id: string): Task;
  /**
   * Makes the sample of an id, such as `ruler-2/vt/variant=2026,chains=1,hops=4/cl100k_base/base/1024/42/0`.
   *
   * @throws {RangeError} If the id is no recipe of these benchmarks and materials.
   */
  sampleOf(id: string): Promise<NamedSample>;
}

/**
 * Opens the benchmarks and materials that ids name. Encodings and the essays that come with Fathom are opened on demand; a model's own
 * tokenizer and the user's own texts are opened here.
 */
export async function openSampleIds(
  options: MaterialsOptions & { readonly benchmarks: readonly Benchmark[] },
): Promise<SampleIds> {
  const { benchmarks, ...given } = options;
  const own = await openMaterials(given);
  const tokenizers = [...new Set([own.tokenizer.name, ...ENCODING_NAMES])];
  const materialsOf = async ({ tokenizer, source }: IdParts): Promise<OpenMaterials> => {
    const isOwn = tokenizer === own.tokenizer.name;
    if (isOwn && given.essays !== undefined) return own;
    // The Chinese essays can be the essays of any task.
    const essays = source === "essays_zh" ? { essays: source } : {};
    return await openMaterials({ ...essays, ...given, tokenizer: isOwn ? given.tokenizer ?? tokenizer : tokenizer });
  };
  return {
    taskOf: (id) => taskOf(id, benchmarks),
    async sampleOf(id): Promise<NamedSample> {
      const parts = tokenizers.map((tokenizer) => readId(id, tokenizer)).find((read) => read !== undefined);
      if (parts === undefined) {
        throw refuse(
          id,
          `it must be a sample's id, made with ${tokenizers.join(", ")} or the tokenizer of --tokenizer`,
        );
      }
      const template = templateOf(parts.template);
      if (template === undefined) throw refuse(id, `its chat template must be base, chat or a named one`);
      const { length, seed, index } = parts;
      const [task, materials] = [taskOf(id, benchmarks), await materialsOf(parts)];
      const sample = task.sample({ length, seed, index, materials, template });
      if (sample.id === id) return { sample, task };
      throw refuse(id, `it must be the id of the sample that is made, ${sample.id}`);
    },
  };
}

function refuse(id: string, wanted: string): RangeError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id;
  return new RangeError(`Cannot make the sample again as ${wanted}: current value is ${JSON.stringify(shown)}`);
}

interface IdParts {
  /** What comes before the tokenizer: the name of the texts, if the id has one. */
  readonly source: string;
  readonly tokenizer: string;
  readonly template: string;
  readonly length: number;
  readonly seed: string;
  readonly index: number;
}

/** Splits an id at the name of its tokenizer; a seed can have slashes. */
function readId(id: string, tokenizer: string): IdParts | undefined {
  const at = id.indexOf(`/${tokenizer}/`);
  if (at < 0) return undefined;
  const [head, tail] = [id.slice(0, at), id.slice(at + tokenizer.length + 2)];
  const [, template, length, seed, index] = /^([^/]+)\/(\d{1,9})\/(.*)\/(\d{1,9})$/s.exec(tail) ?? [];
  if (template === undefined || seed === undefined) return undefined;
  const source = head.slice(head.lastIndexOf("/") + 1);
  return { source, tokenizer, template, length: Number(length), seed, index: Number(index) };
}

/** Makes the task whose suite, name and knobs begin an id. */
function taskOf(id: string, benchmarks: readonly Benchmark[]): Task {
  const [suite, name = "", knobs = ""] = id.split("/", 3);
  for (const family of listFamilies(benchmarks).filter((each) => each.suite === suite)) {
    const isNamed = family.tasks.includes(name);
    const make = (given: GivenKnobs<Knobs>): Task =>
      isNamed ? family.task(name, given) : family.make({ ...given, name });
    try {
      const { options } = make({});
      const listed = readKnobs(knobs, [...Object.keys(family.knobs), ...Object.keys(options)]);
      // An id also lists values that follow from others and cannot be given.
      const given = listed.filter(([knob, value]) =>
        Object.hasOwn(family.knobs, knob) && String(options[knob]) !== value
      );
      const task = make(Object.fromEntries(given));
      if (id.startsWith(`${identify(task)}/`)) return task;
    } catch (error) {
      // Knobs of another family.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw refuse(id, "its suite, task and knobs must be those of a benchmark");
}

/** Reads `chains=1,hops=4`; a comma that no knob's name follows belongs to a value. */
function readKnobs(text: string, names: readonly string[]): readonly (readonly [string, string])[] {
  const parts = text === "" ? [] : text.split(new RegExp(`,(?=(?:${names.join("|")})=)`));
  return parts.map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/** The templates whose names are no chat templates of completions: that of an endpoint which the messages are sent to. */
const SERVED: Readonly<Record<string, ChatTemplate>> = { chat: { ...PLAIN_TEMPLATE, messageTokens: 0 } };

/** Makes the template that a name in an id stands for; `undefined` if the name does not determine its text. */
function templateOf(name: string): ChatTemplate | undefined {
  const [base = "", ...added] = name.split("+");
  const known = Object.hasOwn(SERVED, base) ? SERVED[base] : undefined;
  if (known === undefined && !CHAT_TEMPLATES.includes(base)) return undefined;
  let template: ChatTemplate = { ...(known ?? chatTemplate(base)), name };
  for (const part of added) {
    const [, kind, tokens] = /^(extra|message)-(\d{1,7}(?:\.5)?)$/.exec(part) ?? [];
    if (kind === "extra") template = { ...template, extraTokens: Number(tokens) };
    // A sample of several turns adds this part to the name.
    else if (kind === "message") {
      template = { ...template, messageTokens: Number(tokens), name: name.replace(`+${part}`, "") };
    } else if (part === "no-prefix") template = { ...template, answerPrefix: false };
    else return undefined;
  }
  return template;
}
