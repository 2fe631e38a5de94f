import { type GivenKnobs, type Knobs, type KnobValues, readKnobs } from "./knobs.ts";
import type { TaskReader } from "./reading.ts";
import { makeTask, type Recipe, type TaskParts } from "./recipe.ts";
import type { SampleRequest, Task } from "./task.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** The settings of a task: the values of its knobs, and what it is called. */
export type Named<K extends Knobs> = KnobValues<K> & { readonly name: string };

/** The declaration of a task family. */
export interface FamilyOptions<K extends Knobs, Name extends string, Settings> {
  /** The suite and its version, such as `ruler-2`. */
  readonly suite: string;
  /** What a task of it is called that has no name of its own, such as `niah`. */
  readonly name: string;
  /** What a task with these knobs is called that has no name of its own; `name` by default. */
  readonly nameOf?: (given: GivenKnobs<K>) => string;
  /** What its tasks are, in one line. */
  readonly about: string;
  /** What its tasks test. */
  readonly category: Task["category"] | ((settings: Settings) => Task["category"]);
  /** Its knobs, by name; sample ids list them in this order. */
  readonly knobs: K;
  /** The benchmark's own tasks, each by the knobs that set it apart. */
  readonly tasks: Readonly<Record<Name, GivenKnobs<K>>>;
  /** How replies are scored: one way, or several of which `scorerOf` picks one. */
  readonly scorers: readonly [Scorer, ...Scorer[]];
  /** Picks the way of scoring of a task; the first by default. */
  readonly scorerOf?: (settings: Settings) => Scorer;
  /** Tokens kept free for the answer. */
  readonly answerRoom: number | ((settings: Settings) => number);
  /** How the simulated reader solves its tasks; the first that recognises a prompt reads it. */
  readonly readers: readonly TaskReader[];
  /** Adjusts a named task by other given knobs, such as the edition it follows. */
  readonly adapt?: (task: Name, given: GivenKnobs<K>) => GivenKnobs<K>;
  /** Checks constraints between knobs and derives the recipe's settings; the values themselves by default. */
  readonly settle?: (values: Named<K>) => Settings;
  /** The settings as sample ids and records list them; the values of the knobs by default. */
  readonly describe?: (settings: Settings) => Task["options"];
  /** Decides everything random about a sample. */
  recipe(settings: Settings, request: SampleRequest): Recipe;
  /** Samples probed for the least length, where they are so large and alike that fewer do. */
  readonly probes?: (settings: Settings) => number | undefined;
  /** Finds the least length where probing some samples does not. */
  readonly leastLength?: (settings: Settings) => TaskParts["leastLength"];
}

/** A family of tasks: what any of them is made and described by. */
export interface Family<K extends Knobs = Knobs, Name extends string = string> {
  /** The suite and its version. */
  readonly suite: string;
  /** Its name, such as `niah`. */
  readonly name: string;
  /** What its tasks are, in one line. */
  readonly about: string;
  /** Its knobs, by name. */
  readonly knobs: K;
  /** The names of the benchmark's own tasks. */
  readonly tasks: readonly Name[];
  /** The ways in which its tasks are scored. */
  readonly scorers: readonly Scorer[];
  /** How the simulated reader solves its tasks. */
  readonly readers: readonly TaskReader[];
  /**
   * Makes a task with custom knobs.
   *
   * @param given Knobs that differ from their defaults, and the task's name.
   * @throws {RangeError} If there is no such knob, or a value is not what its knob takes.
   */
  make(given?: GivenKnobs<K> & { readonly name?: string }): Task;
  /**
   * Makes one of the benchmark's own tasks.
   *
   * @param name Its name.
   * @param given Knobs that differ from the task's own.
   * @throws {RangeError} If there is no such task or knob, or a value is not what its knob takes.
   */
  task(name: Name, given?: GivenKnobs<K>): Task;
}

/**
 * Declares a family of tasks.
 *
 * From its knobs come the type of what can be given, the check and its error, the defaults, the part in the samples' ids, the
 * keys of study files, `--set` in the shell and what `fathom tasks` prints.
 *
 * @param options The declaration.
 * @returns The family.
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
  const { suite, category, answerRoom, scorers, describe } = options;
  const settings = options.settle?.(values) ?? values as unknown as Settings;
  const of = <Value>(given: Value | ((settings: Settings) => Value)): Value =>
    typeof given === "function" ? (given as (settings: Settings) => Value)(settings) : given;
  const { name, ...knobs } = values;
  const probes = options.probes?.(settings);
  const leastLength = options.leastLength?.(settings);
  return makeTask({
    suite,
    name,
    category: of(category),
    options: describe?.(settings) ?? knobs as Task["options"],
    answerRoom: of(answerRoom),
    scorer: options.scorerOf?.(settings) ?? scorers[0],
    recipe: (request) => options.recipe(settings, request),
    ...(probes === undefined ? {} : { probes }),
    ...(leastLength === undefined ? {} : { leastLength }),
  });
}
