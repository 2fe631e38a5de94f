import { quoteText } from "@/lib/base/mod.ts";
import { type Benchmark, listFamilies } from "@/lib/benchmarks/mod.ts";
import { type ChatTemplate, identify, PLAIN_TEMPLATE, type Task, unlessRefused } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { type MaterialsOptions, type OpenMaterials, openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

/**
 * Returns a function that makes the sample of an id, such as
 * `ruler-2/vt/variant=2026,chains=1,hops=4/cl100k_base/base/1024/42/0`. It throws a `RangeError` if the id is no recipe of these
 * benchmarks and materials, of which encodings and the essays that come with Fathom are opened on demand.
 */
export async function openSampleIds(
  { benchmarks, ...given }: MaterialsOptions & { readonly benchmarks: readonly Benchmark[] },
): Promise<(id: string) => Promise<{ readonly sample: ReturnType<Task["sample"]>; readonly task: Task }>> {
  const own = await openMaterials(given);
  const tokenizers = [...new Set([own.tokenizer.name, ...ENCODING_NAMES])];
  const materialsOf = async (tokenizer: string, source: string): Promise<OpenMaterials> => {
    const isOwn = tokenizer === own.tokenizer.name;
    if (isOwn && given.essays !== undefined) return own;
    // The Chinese essays can be the essays of any task.
    const essays = source === "essays_zh" ? { essays: source } : {};
    return await openMaterials({ ...essays, ...given, tokenizer: isOwn ? given.tokenizer ?? tokenizer : tokenizer });
  };
  return async (id) => {
    // A seed can have slashes, so an id is split at the name of its tokenizer.
    const tokenizer = tokenizers.find((name) => id.includes(`/${name}/`)) ?? "";
    const at = id.indexOf(`/${tokenizer}/`);
    const tail = id.slice(at + tokenizer.length + 2);
    const [, template, length, seed, index] = /^([^/]+)\/(\d{1,9})\/(.*)\/(\d{1,9})$/s.exec(tail) ?? [];
    if (tokenizer === "" || template === undefined || seed === undefined) {
      throw refuseId(id, `it must be a sample's id, made with ${tokenizers.join(", ")} or that of --tokenizer`);
    }
    if (Number(length) > MAX_TOKENS) throw refuseId(id, `its length must be at most ${MAX_TOKENS} tokens`);
    const task = taskOf(id, benchmarks);
    const source = id.slice(id.lastIndexOf("/", at - 1) + 1, at);
    const sample = task.sample({
      length: Number(length),
      index: Number(index),
      seed,
      materials: await materialsOf(tokenizer, source),
      template: templateOf(template, id),
    });
    if (sample.id === id) return { sample, task };
    throw refuseId(id, `it must be the id of the sample that is made, ${sample.id}`);
  };
}

const MAX_TOKENS = 2 ** 21;

function refuseId(id: string, wanted: string): RangeError {
  return new RangeError(`Cannot make the sample again as ${wanted}: current value is "${quoteText(id, 200)}"`);
}

/** Makes the task whose suite, name and knobs begin an id. */
function taskOf(id: string, benchmarks: readonly Benchmark[]): Task {
  const [suite, name = "", knobs = ""] = id.split("/", 3);
  for (const family of listFamilies(benchmarks).filter(({ suites }) => suites.includes(suite!))) {
    const isNamed = family.tasks.includes(name);
    const version = suite === family.suite ? {} : family.earlier?.knobs;
    const make = (given: Parameters<typeof family.make>[0]): Task =>
      isNamed ? family.task(name, { ...version, ...given }) : family.make({ ...version, ...given, name });
    // Knobs of another family are refused.
    const task = unlessRefused(() => {
      const { options } = make({});
      const names = [...Object.keys(family.knobs), ...Object.keys(options)];
      // A comma that no knob's name follows belongs to a value.
      const listed = knobs === "" ? [] : knobs.split(new RegExp(`,(?=(?:${names.join("|")})=)`));
      const given = listed.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] as const)
        // An id also lists values that follow from others and cannot be given.
        .filter(([knob, value]) => Object.hasOwn(family.knobs, knob) && String(options[knob]) !== value);
      return make(Object.fromEntries(given));
    });
    if (task !== undefined && id.startsWith(`${identify(task)}/`)) return task;
  }
  throw refuseId(id, "its suite, task and knobs must be those of a benchmark");
}

/** Templates that messages are sent to, which are no templates of completions. */
const SERVED = new Map<string, ChatTemplate>([["chat", { ...PLAIN_TEMPLATE, messageTokens: 0 }]]);

function templateOf(name: string, id: string): ChatTemplate {
  const [base = "", ...added] = name.split("+");
  const refused = refuseId(id, "its chat template must be base, chat or a named one");
  const opened = SERVED.get(base) ?? (CHAT_TEMPLATES.includes(base) ? chatTemplate(base) : undefined);
  if (opened === undefined) throw refused;
  return added.reduce((template, part): ChatTemplate => {
    const [, kind, tokens] = /^(extra|message)-(\d{1,7}(?:\.5)?)$/.exec(part) ?? [];
    if (part === "no-prefix") return { ...template, answerPrefix: false };
    if (kind === "extra") return { ...template, extraTokens: Number(tokens) };
    if (kind === undefined) throw refused;
    // A sample of several turns adds this part to the name.
    return { ...template, messageTokens: Number(tokens), name: name.replace(`+${part}`, "") };
  }, { ...opened, name });
}
