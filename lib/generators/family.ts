import { type GivenKnobs, type Knobs, type KnobValues, readKnobs } from "./knobs.ts";
import type { TaskReader } from "./reading.ts";
import { type LeastLengthRequest, makeTask, type Recipe } from "./recipe.ts";
import type { SampleRequest, Task } from "./task.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** The values of a task's knobs, and its name. */
export type Named<K extends Knobs> = KnobValues<K> & { readonly name: string };

/** The declaration of a task family. */
export interface FamilyOptions<K extends Knobs, Name extends string, Settings> {
  /** The suite and its version, such as `ruler-2`. */
  readonly suite: string;
  /** The family's name, such as `niah`; also the name of its unnamed tasks. */
  readonly name: string;
  /** Names an unnamed task by its knobs; `name` by default. */
  readonly nameOf?: (given: GivenKnobs<K>) => string;
  /** What its tasks are, in one line. */
  readonly about: string;
  /** What its tasks test. */
  readonly category: Task["category"] | ((settings: Settings) => Task["category"]);
  /** Its knobs, by name; sample ids list them in this order. */
  readonly knobs: K;
  /** The benchmark's own tasks, each with the knobs that set it apart. */
  readonly tasks: Readonly<Record<Name, GivenKnobs<K>>>;
  /** How replies are scored; where there are several ways, `scorerOf` picks one. */
  readonly scorers: readonly [Scorer, ...Scorer[]];
  /** Picks a task's scorer; the first by default. */
  readonly scorerOf?: (settings: Settings) => Scorer;
  /** Tokens kept free for the answer. */
  readonly answerRoom: number | ((settings: Settings) => number);
  /** How the simulated reader solves its tasks; the first that recognises a prompt reads it. */
  readonly readers: readonly TaskReader[];
  /** Changes a named task's knobs depending on others, such as the edition it follows. */
  readonly adapt?: (task: Name, given: GivenKnobs<K>) => GivenKnobs<K>;
  /** Checks constraints between knobs and derives the recipe's settings; by default the values themselves. */
  readonly settle?: (values: Named<K>) => Settings;
  /** The settings as sample ids and records list them; by default the values of the knobs. */
  readonly describe?: (settings: Settings) => Task["options"];
  /** Decides everything random about a sample. */
  recipe(settings: Settings, request: SampleRequest): Recipe;
  /** How many samples to probe for the least length, where they are large and within 1% of each other; 64 by default. */
  readonly probes?: (settings: Settings) => number | undefined;
  /** Finds the least length where probing some samples is not enough. */
  leastLength?(settings: Settings, asked: LeastLengthRequest): number;
}

/** A family of tasks: makes them, and describes them all. */
export interface Family<K extends Knobs = Knobs, Name extends string = string> {
  /** The suite and its version. */
  readonly suite: string;
  /** Its name, such as `niah`. */
  readonly name: string;
  /** What its tasks are, in one line. */
  readonly about: string;
  readonly knobs: K;
  /** The names of the benchmark's own tasks. */
  readonly tasks: readonly Name[];
  /** The ways its tasks are scored. */
  readonly scorers: readonly Scorer[];
  /** How the simulated reader solves its tasks. */
  readonly readers: readonly TaskReader[];
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
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * equal(NIAH.make({ keys: 8 }).options["keys"], 8);
 * equal(NIAH.task("niah_multikey_1").options["keys"], 4);
 * ```
 */
export function family<const K extends Knobs, const Name extends string, Settings = Named<K>>(
  options: FamilyOptions<K, Name, Settings>,
): Family<K, Name> {
  const { suite, name, about, knobs, scorers, readers } = options;
  const tasks = Object.keys(options.tasks) as Name[];
  const make = (
    { name: chosen, ...given }: Readonly<Record<string, unknown>> & { readonly name?: string },
  ): Task => {
    const called = chosen ?? options.nameOf?.(given as GivenKnobs<K>) ?? name;
    return makeFamilyTask(options, { ...readKnobs(knobs, given, called), name: called });
  };
  return {
    suite,
    name,
    about,
    knobs,
    tasks,
    scorers,
    readers,
    make: (given = {}) => make(given),
    task(task, given = {}): Task {
      if (!Object.hasOwn(options.tasks, task)) {
        throw new RangeError(
          `Cannot make the task as its name must be one of ${tasks.join(", ")}: current value is "${task}"`,
        );
      }
      return make({ ...options.tasks[task], ...options.adapt?.(task, given), ...given, name: task });
    },
  };
}

function makeFamilyTask<K extends Knobs, Name extends string, Settings>(
  options: FamilyOptions<K, Name, Settings>,
  values: Named<K>,
): Task {
  const settings = options.settle?.(values) ?? values as unknown as Settings;
  const resolve = <Value>(given: Value | ((settings: Settings) => Value)): Value =>
    typeof given === "function" ? (given as (settings: Settings) => Value)(settings) : given;
  const { name, ...knobs } = values;
  return makeTask({
    suite: options.suite,
    name,
    category: resolve(options.category),
    options: options.describe?.(settings) ?? knobs as Task["options"],
    answerRoom: resolve(options.answerRoom),
    scorer: options.scorerOf?.(settings) ?? options.scorers[0],
    recipe: (request) => options.recipe(settings, request),
    probes: options.probes?.(settings),
    leastLength: (asked) => options.leastLength?.(settings, asked) ?? asked.probe(),
  });
}
