import { defined, sum } from "@/lib/base/mod.ts";
import { type ChatTemplate, PLAIN_TEMPLATE } from "./chat_template.ts";
import { checkFamily, tryReplies } from "./borders.ts";
import {
  cannotMake,
  nextValue,
  omitDefaults,
  ownNames,
  readKnobs,
  settledKnobs,
  unlessRefused,
} from "./knob_values.ts";
import type { GivenKnobs, Knobs, KnobValues } from "./knobs.ts";
import { addLazily, type Layout, locateFacts, rememberLast, writeLayout, writeMessages } from "./layout.ts";
import { checkMessages, hashPrompt, isSingleTurn, type Message, type Prompt } from "./prompt.ts";
import { contextCluster, contextPlace, questionIn, QUESTIONS, QUESTIONS_NAME, questionsInId } from "./questions.ts";
import {
  cannotGenerate,
  countLeast,
  findWords,
  fitSample,
  type Fitted,
  hiddenTokens,
  type Recipe,
  type RecipeRequest,
} from "./recipe.ts";
import { commas, keepForm } from "./replies.ts";
import type {
  Materials,
  PromptWords,
  ReplyForm,
  Sample,
  SamplePlace,
  SampleRequest,
  Task,
  TaskChoice,
  WriteReply,
} from "./task.ts";
import { guardScorer, type Scorer } from "@/lib/scorers/mod.ts";

/** The values of a task's knobs, and its name. */
export type Named<K extends Knobs> = KnobValues<K> & { readonly name: string };

/** Whether a greater value of a knob makes a task harder (`up`) or easier (`down`); the main knob first. */
export type Difficulty<K extends Knobs> = { readonly [N in keyof K]?: "up" | "down" };

/** The declaration of a task family. */
export interface FamilyOptions<K extends Knobs, Name extends string, Settings> {
  readonly suite: string;
  /** An earlier version of the suite, and the settings that still make its samples, ids included. */
  readonly earlier?: { readonly suite: string; readonly knobs: NonNullable<TaskChoice["knobs"]> };
  /** The family's name, such as `niah`; also the name of its unnamed tasks. */
  readonly name: string;
  /** Names an unnamed task by its knobs; `name` by default. */
  readonly nameOf?: (given: GivenKnobs<K>) => string;
  readonly about: string;
  readonly category: Task["category"] | ((settings: Settings) => Task["category"]);
  /**
   * Finds the question in the words after the context, or in those before it if none follow: the first group of the last match, or
   * the match if it has no group. By default, and without a match, all these words.
   */
  readonly asks?: RegExp;
  /** Sample ids list them in this order. */
  readonly knobs: K;
  readonly tasks: Readonly<Record<Name, GivenKnobs<K>>>;
  /** How replies are scored; if there are several ways, `scorerOf` picks one. */
  readonly scorers: readonly [Scorer, ...Scorer[]];
  /** Picks a task's scorer; the first by default. */
  readonly scorerOf?: (settings: Settings) => Scorer;
  /** Tokens kept free for the answer; 0 if the recipe decides it for each sample. */
  readonly answerRoom: number | ((settings: Settings) => number);
  /** The largest share of a length that the recipe keeps free for an answer, if it decides it for each sample. */
  readonly answerShare?: (settings: Settings) => number;
  /** Writes a right reply from the references, as the simulated reader gives it; {@linkcode commas} between them by default. */
  readonly write?: WriteReply<Settings>;
  /** Changes a named task's knobs depending on others, such as the edition it follows. */
  readonly adapt?: (task: Name, given: GivenKnobs<K>) => GivenKnobs<K>;
  /** Checks constraints between knobs and derives the recipe's settings; by default the values themselves. */
  readonly settle?: (values: Named<K>) => Settings;
  /** The settings as sample ids and records list them; by default each knob with its settled value. */
  readonly describe?: (settings: Settings) => Task["options"];
  /**
   * The question or text that a sample shares with others, by its id; `undefined` if it is independent, or of another family. With
   * several questions about a context, `index` is that of the context, and its samples are a cluster by default.
   */
  clusterOf?(place: SamplePlace): string | undefined;
  /** Decides everything random about a sample. */
  recipe(settings: Settings, request: RecipeRequest): Recipe;
  /** The numeric knobs that decide how hard its tasks are, for programs that look for the difficulty that suits a model. */
  readonly harder?: Difficulty<K> | ((settings: Settings) => Difficulty<K>);
  /** The number of samples to probe for the least length, if they are large and within 1% of each other; 64 by default. */
  readonly probes?: (settings: Settings) => number | undefined;
  /** Finds the least length if a probe is not enough. */
  leastLength?(settings: Settings, asked: LeastLengthRequest): number;
}

/** The facts that a task's least length depends on. */
export interface LeastLengthRequest {
  readonly materials: Materials;
  readonly template: ChatTemplate;
  /** Finds the least length from some samples. */
  probe(): number;
}

/** A family of tasks: makes them, and describes them all. */
export interface Family<K extends Knobs = Knobs, Name extends string = string>
  extends Pick<FamilyOptions<K, Name, never>, "suite" | "earlier" | "name" | "about" | "knobs"> {
  readonly suites: readonly string[];
  readonly tasks: readonly Name[];
  readonly scorers: readonly Scorer[];
  /** The question or text that a sample shares with others; `undefined` if there is none. */
  readonly clusterOf?: ((place: SamplePlace) => string | undefined) | undefined;
  /** Makes a task with knobs of your own, and a name if you like; an unknown knob or a wrong value is refused. */
  make(given?: GivenKnobs<K> & { readonly name?: string }): Task;
  /** Makes one of the benchmark's own tasks, with some knobs changed if you like. */
  task(name: Name, given?: GivenKnobs<K>): Task;
}

/**
 * Declares a family of tasks.
 *
 * Its knobs give the type of what can be set, the check and its error, the defaults, the part in sample ids, the keys of
 * study files, `--set` in the shell and what `fathom tasks` prints.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
 *
 * equal(NIAH.make({ keys: 8 }).options["keys"], 8);
 * equal(NIAH.task("niah_multikey_1").options["keys"], 4);
 * ```
 */
export function family<const K extends Knobs, const Name extends string, Settings = Named<K>>(
  options: FamilyOptions<K, Name, Settings>,
): Family<K, Name> {
  const { suite, name, about, knobs, scorers } = options;
  checkFamily(options);
  const tasks = Object.keys(options.tasks) as Name[];
  const make = ({ name: chosen, ...given }: Readonly<Record<string, unknown>> & { readonly name?: string }): Task => {
    const called = chosen ?? options.nameOf?.(given as GivenKnobs<K>) ?? name;
    return settleTask(options, { ...readKnobs(knobs, given, called), name: called });
  };
  return {
    suite,
    suites: [suite, ...options.earlier === undefined ? [] : [options.earlier.suite]],
    ...defined({ earlier: options.earlier }),
    name,
    about,
    knobs,
    tasks,
    scorers: scorers.map(guardScorer),
    clusterOf: (place) => options.clusterOf?.(contextPlace(place, questionsInId(place.sample))),
    make: (given = {}) => make(ownNames(knobs, given)),
    task(task, changes = {}): Task {
      const given = ownNames(knobs, changes);
      if (!Object.hasOwn(options.tasks, task)) {
        throw new RangeError(
          `Cannot make the task as its name must be one of ${tasks.join(", ")}: current value is "${task}"`,
        );
      }
      return make({ ...options.tasks[task], ...options.adapt?.(task, given as GivenKnobs<K>), ...given, name: task });
    },
  };
}

/** Settles a task's knobs, and makes the task. */
function settleTask<K extends Knobs, Name extends string, Settings>(
  options: FamilyOptions<K, Name, Settings>,
  values: Named<K>,
): Task {
  const settings = options.settle?.(values) ?? values as unknown as Settings;
  const resolve = <Value>(given: Value | ((settings: Settings) => Value)): Value =>
    typeof given === "function" ? (given as (settings: Settings) => Value)(settings) : given;
  const { knobs, earlier } = options;
  const isEarlier = Object.entries(earlier?.knobs ?? { none: null })
    .every(([knob, value]) => (settings as Readonly<Record<string, unknown>>)[knob] === value);
  const suite = isEarlier ? earlier!.suite : options.suite;
  const settled = options.describe?.(settings) ?? settledKnobs(knobs, { settings, values });
  const named = { suite, name: values.name, options: omitDefaults(knobs, settled) };
  const turns = Object.entries(resolve(options.harder ?? {}));
  const turn: Task["turn"] = (way) => {
    // Back on the way that it came: the main knob is the first to be turned up, and the last to be turned down.
    for (const [knob, up] of way === "harder" ? turns : turns.toReversed()) {
      const value = nextValue(knobs[knob]!, Number(settled[knob]), (up === "up") === (way === "harder"));
      const task = value && unlessRefused(() => settleTask(options, { ...values, [knob]: value }));
      if (task && task.options[knob] !== named.options[knob]) return { knob, value, task };
    }
    return undefined;
  };
  const category = resolve(options.category);
  const task = makeTask({
    ...named,
    identity: identify(named),
    category,
    ...defined({ asks: options.asks }),
    form: { category, settings, write: options.write as WriteReply | undefined ?? commas },
    answerRoom: resolve(options.answerRoom),
    answerShare: options.answerShare?.(settings),
    scorer: guardScorer(options.scorerOf?.(settings) ?? options.scorers[0]),
    recipe: (request) => options.recipe(settings, request),
    questions: knobs[QUESTIONS_NAME] === QUESTIONS ? Number(settled[QUESTIONS_NAME] ?? 1) : 1,
    clusterOf: (place) => options.clusterOf?.(place),
    probes: options.probes?.(settings),
    leastLength: (asked) => options.leastLength?.(settings, asked) ?? asked.probe(),
  });
  return { ...task, turn };
}

/** The parts that are specific to one task; {@linkcode makeTask} does the rest. */
interface TaskParts extends Pick<Task, "suite" | "name" | "category" | "options" | "asks" | "answerRoom" | "scorer"> {
  readonly form: ReplyForm;
  readonly answerShare: number | undefined;
  readonly identity: string;
  readonly questions: number;
  recipe(request: RecipeRequest): Recipe;
  /** The index is that of the context. */
  clusterOf(place: SamplePlace): string | undefined;
  readonly probes: number | undefined;
  leastLength(asked: LeastLengthRequest): number;
}

/** Makes a task, which fits samples to their length, refuses lengths that are too short, and names and hashes samples. */
function makeTask(parts: TaskParts): Task {
  const { suite, name, category, options, asks, answerRoom, answerShare, scorer, form } = parts;
  // Asked for each sample, of the same materials and template.
  const leastLengths = rememberLast((materials: Materials) =>
    rememberLast((template: ChatTemplate) => nameTask(parts, () => findLeastLength(parts, materials, template)))
  );
  const leastLength = (materials: Materials, template: ChatTemplate = PLAIN_TEMPLATE): number =>
    leastLengths(materials)(template);
  const fit = rememberContext(parts);
  const sample = (request: SampleRequest): Sample => {
    const { materials, template = PLAIN_TEMPLATE } = request;
    checkRequest(request, name, () => leastLength(materials, template));
    return nameTask(parts, () => makeSample(parts, { ...request, template, options }, fit));
  };
  const words = (materials: Materials, template: ChatTemplate = PLAIN_TEMPLATE): PromptWords => {
    const length = leastLength(materials, template);
    return findWords(parts.recipe({ length, seed: "42", index: 0, materials, template, options }), template, materials);
  };
  const clusterOf: Task["clusterOf"] = (place) =>
    findCluster(parts, { sample: `${parts.identity}/`, suite, task: name, ...place });
  const described = { suite, name, category, options, answerRoom, ...defined({ asks, answerShare }), scorer, form };
  return { ...described, sample, leastLength, words, clusterOf };
}

/** Runs code of a family, and names the task in its errors; those about a template are the endpoint's. */
function nameTask<Made>({ suite, name }: TaskParts, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const isKnown = error instanceof TypeError || error instanceof RangeError;
    if (!isKnown || error.message.includes(name) || error.message.startsWith("Cannot send")) throw error;
    error.message = `Cannot use task ${name} of ${suite}: ${error.message}`;
    throw error;
  }
}

/** Makes a function that fits samples; the context of the last one is kept for its other questions. */
function rememberContext(parts: TaskParts): (request: RecipeRequest) => Fitted {
  if (parts.questions === 1) return (request) => fitSample(parts, request);
  let last: { readonly request: RecipeRequest; readonly fitted: Fitted } | undefined;
  const names = ["length", "seed", "index", "materials", "template"] as const;
  return (request) => {
    const context = contextPlace(request, parts.questions);
    if (last === undefined || names.some((name) => last!.request[name] !== context[name])) {
      last = { request: context, fitted: fitSample(parts, context) };
      if (last.fitted.recipe.questions?.length !== parts.questions) {
        throw cannotMake(parts.name, "questions must be 1 as its prompts ask before their contexts", parts.questions);
      }
    }
    return last.fitted;
  };
}

/** Returns the cluster of a sample: its family's for its context, or else its context if several questions share it. */
function findCluster({ clusterOf, questions }: TaskParts, place: SamplePlace): string | undefined {
  return clusterOf(contextPlace(place, questions)) ?? (questions === 1 ? undefined : contextCluster(place));
}

function findLeastLength(parts: TaskParts, materials: Materials, template: ChatTemplate): number {
  const { identity } = parts;
  const known = addsNothing(template) ? materials.leastLengths?.[identity] : undefined;
  return known ?? materials.remember(`least length/${identity}/${JSON.stringify(template)}`, () => {
    const probe = (): number => probeLeastLength(parts, materials, template);
    const length = parts.leastLength({ materials, template, probe });
    tryReplies(parts, parts.recipe({ length, seed: "42", index: 0, materials, template, options: parts.options }));
    return length;
  });
}

/** Whether prompts are sent without additions, whatever the template's name. */
function addsNothing({ before, after, system, extraTokens, answerPrefix }: ChatTemplate): boolean {
  return before === "" && after === "" && system === undefined && extraTokens === 0 && answerPrefix;
}

/** The longest context that is generated, in tokens. */
const MOST_TOKENS = 2_000_000;

function checkRequest({ length, index }: SampleRequest, name: string, leastLength: () => number): void {
  if (!Number.isInteger(length) || length > MOST_TOKENS) {
    throw cannotGenerate(name, `length must be a whole number of at most ${MOST_TOKENS} tokens`, length);
  }
  const least = leastLength();
  if (length < least) throw cannotGenerate(name, `length must be at least ${least} tokens`, length);
  if (!Number.isInteger(index) || index < 0) throw cannotGenerate(name, "index must be a whole number from 0", index);
}

function makeSample(parts: TaskParts, request: RecipeRequest, fit: (request: RecipeRequest) => Fitted): Sample {
  const { length, index, materials, template } = request;
  const { recipe, size, answerRoom, ask } = fit(request);
  const question = index % parts.questions;
  const { asked, layout, wrapped, promptTokens } = ask(question);
  const { distractors, paths, depth } = asked;
  const { wrapping } = recipe;
  const prompt: Prompt = {
    messages: writePrompt(layout, template, parts.name),
    ...(template.answerPrefix ? { answerPrefix: asked.answerPrefix } : {}),
    ...defined({ wrapping }),
  };
  const id = nameSample(parts, request, { source: recipe.source, isChat: !isSingleTurn(prompt) });
  const place = { sample: id, suite: parts.suite, task: parts.name, length, seed: request.seed, index };
  const cluster = recipe.cluster ?? findCluster(parts, place);
  const sample = {
    id,
    suite: parts.suite,
    task: parts.name,
    index,
    ...defined({ cluster }),
    length,
    promptTokens: promptTokens + hiddenTokens(template, materials),
    answerRoom,
    prompt,
    references: asked.references(size),
    ...defined({ distractors, paths, depth }),
  };
  const { tokenizer } = materials;
  const whole = addLazily(sample, {
    layout: wrapped,
    list: () => [...locateFacts(wrapped, { tokenizer, question }), ...(recipe.spreadFacts?.(size) ?? [])],
    firstTarget: () => locateFacts(wrapped, { tokenizer, question, wanted: "target" })[0]?.tokenOffset ?? null,
    question: () => questionIn(wordsAround(layout), parts.asks),
  });
  const hashed = Object.assign(whole, { sha256: hashPrompt(prompt, template) });
  return keepForm(hashed, parts.form, { isClosedBook: layout.context.length === 0 });
}

/** Writes the words after a context, or those before it if none follow. */
function wordsAround({ before, after }: Layout): string {
  const words = writeLayout({ after });
  return words.trim() === "" ? writeLayout({ before }) : words;
}

/** Writes the messages of a prompt, after the template's system message if it has one. */
function writePrompt(layout: Layout, { system }: ChatTemplate, name: string): readonly Message[] {
  const messages = writeMessages(layout);
  const all = system === undefined ? messages : [{ role: "system", text: system } as const, ...messages];
  return messages.length === 1 ? all : checkMessages(all, name);
}

/** Samples probed for the least length; their keys and values differ by a few tokens. */
const PROBES = 64;

function probeLeastLength(parts: TaskParts, materials: Materials, template: ChatTemplate): number {
  const { probes = PROBES, options } = parts;
  const costs = Array.from({ length: probes }, (_, index) => {
    // The length enters some recipes (vocabulary, example); the shortest lengths use the smallest of both.
    const recipe = parts.recipe({ length: 512, seed: "least length", index, materials, template, options });
    return countLeast(recipe, { template, materials });
  });
  const most = Math.max(...costs);
  const mean = sum(costs) / probes;
  // About six standard deviations: tokens of keys are skewed, and with less room 1 sample in 1,000 did not fit.
  const room = probes < PROBES ? 0.01 * most : 1.5 * (most - mean);
  return Math.ceil((most + room + parts.answerRoom + hiddenTokens(template, materials) + 4) / 8) * 8;
}

/** Names a task by its suite, its name and its knobs. */
export function identify({ suite, name, options }: Pick<Task, "suite" | "name" | "options">): string {
  const knobs = Object.entries(options).map(([key, value]) => `${key}=${value}`).join(",");
  return `${suite}/${name}/${knobs}`;
}

function nameSample(
  parts: TaskParts,
  request: RecipeRequest,
  { source, isChat }: { readonly source: string | undefined; readonly isChat: boolean },
): string {
  const { materials: { tokenizer }, template: { name, messageTokens = 0 }, length, seed, index } = request;
  const added = isChat && messageTokens > 0 ? `${name}+message-${messageTokens}` : name;
  const identity = source === undefined ? parts.identity : `${parts.identity}/${source}`;
  return [identity, tokenizer.name, added, length, seed, index].join("/");
}
