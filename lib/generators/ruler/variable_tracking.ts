import { spread, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import { type Chain, chainValues, variableNames } from "./_chains.ts";
import { hideChains } from "./_chain_lines.ts";
import { checkWhole } from "../_check_knob.ts";
import type { Layout } from "../_layout.ts";
import { NOISE_LINE } from "../_noise.ts";
import { makeTask, type Recipe } from "../_recipe.ts";
import { vtExampleWording, vtWording } from "./_vt_wording.ts";
import { BASE_FRAME, frameWords } from "../frame.ts";
import type { FactRole } from "../sample.ts";
import { RULER_SUITE } from "../suite.ts";
import type { SampleRequest, Task } from "../task.ts";
import type { Variant } from "./variant.ts";

/** Options for {@linkcode vtTask}. */
export interface VtOptions {
  /**
   * What the task is called.
   *
   * @default {"vt"}
   */
  readonly name?: string;
  /**
   * Number of chains, the first being asked for. Range: 1 to 100.
   *
   * @default {1}
   */
  readonly chains?: number;
  /**
   * Number of times that a chain's value is handed on; a chain has one variable more. Range: 1 to 100.
   *
   * @default {4}
   */
  readonly hops?: number;
  /**
   * Whose wording to follow.
   *
   * @default {"2026"}
   */
  readonly variant?: Variant;
}

type Settings = Required<VtOptions>;

/**
 * Makes a variable tracking task: a value is assigned to a variable, that one to another and so on, in lines hidden in noise,
 * and all variables that get the value are asked for.
 *
 * RULER, section 3.2 and variable_tracking.py. Unlike the reference, no name is part of another name, of the prompt's own
 * words or of its chat template, and all values differ, those of the example included; each sample has an example of its
 * own, placed anew; the depths of the asked chain are spread evenly over the samples, and a line can stand last or next to
 * another; and the answer room grows with the hops, where the reference cuts the answer of a chain of eleven names at 30
 * tokens.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 30 tokens for the answer, or 6 for each variable of a longer chain.
 * @throws {RangeError} If a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(vtTask().answerRoom, 30);
 * equal(vtTask({ hops: 10 }).answerRoom, 66);
 * ```
 */
export function vtTask(options: VtOptions = {}): Task {
  const { name = "vt", chains = 1, hops = 4, variant = "2026" } = options;
  checkWhole(chains, { task: name, knob: "chains", low: 1, high: 100 });
  checkWhole(hops, { task: name, knob: "hops", low: 1, high: 100 });
  const settings = { name, chains, hops, variant };
  return makeTask({
    suite: RULER_SUITE,
    name,
    category: "multi-hop tracing",
    options: { variant, chains, hops },
    answerRoom: Math.max(30, 6 * (hops + 1)),
    scoring: "all",
    recipe: (request) => vtRecipe(settings, request),
  });
}

/** Noise lines in the example, as many as the reference comes to with the tokens of GPT-4. */
const EXAMPLE_LINES: Readonly<Record<Variant, number>> = { "2026": 16, "2024": 10, paper: 16 };

/** Chains of the example are never longer. */
const MOST_EXAMPLE_HOPS = 10;

function vtRecipe({ name, chains, hops, variant }: Settings, request: SampleRequest): Recipe {
  const { materials: { tokenizer }, length, seed, index, frame = BASE_FRAME } = request;
  const path = [seed, RULER_SUITE, name, JSON.stringify({ variant, chains, hops }), length];
  const draw = stream(...path, index);
  const words = vtWording({ value: "", variables: 0, variant });
  const said = [words.opening, NOISE_LINE, words.question, words.answerPrefix, frameWords(frame)];
  const newName = variableNames(draw, said.join(" "));
  const newValue = chainValues(draw);
  const drawChain = (role: FactRole, letters: number, depths: readonly number[]): Chain => ({
    role,
    names: depths.map(() => newName(letters)),
    value: newValue(),
    depths: depths.toSorted((left, right) => left - right),
  });
  const drawDepths = (count: number): number[] => Array.from({ length: count }, draw);
  const exampleSize = Math.min(hops, MOST_EXAMPLE_HOPS) + 1;
  const examples = Array.from({ length: chains }, () => drawChain("example", 3, drawDepths(exampleSize)));
  const asked = drawChain("target", 5, spread(path, { index, dimensions: hops + 1 }));
  const others = Array.from({ length: chains - 1 }, () => drawChain("distractor", 5, drawDepths(hops + 1)));

  const wording = vtWording({ value: asked.value, variables: hops + 1, variant });
  const [solved] = examples as [Chain];
  const example = vtExampleWording({
    value: solved.value,
    variables: exampleSize,
    names: solved.names,
    variant,
    afterPrompt: frame.after,
  });
  const dressing = { variant, tokenizer };
  const before = [
    { measured: measure(example.opening, tokenizer) },
    ...hideChains(examples, dressing)(EXAMPLE_LINES[variant]),
    { measured: measure(example.ending + wording.opening, tokenizer) },
  ];
  const layOutContext = hideChains([asked, ...others], dressing);
  const after = [{ measured: measure(wording.question, tokenizer) }];
  return {
    least: 1,
    most: Infinity,
    layOut: (size): Layout => ({ before, context: layOutContext(size), after }),
    answerPrefix: wording.answerPrefix,
    references: () => asked.names,
  };
}
