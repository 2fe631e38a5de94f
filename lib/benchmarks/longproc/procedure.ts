import WORDING from "./wording.json" with { type: "json" };
import {
  type Family,
  family,
  fillBy,
  type Layout,
  lineFiller,
  type Materials,
  measureOnce,
  type Part,
  type PartFact,
  plantFacts,
  type Recipe,
  whole,
  type WriteReply,
} from "@/lib/generators/mod.ts";
import { type Draw, spread, stream } from "@/lib/random/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** What a sample is drawn from. */
export interface ProcedureRequest extends Pick<Materials, "tokenizer" | "words"> {
  readonly draw: Draw;
  /** The most tokens of the right reply. */
  readonly output: number;
}

/** What a prompt lists and asks, and the lines of the right reply. */
export interface Procedure {
  /** The lines that the reply needs, in the order of the prompt. */
  readonly needed: readonly PartFact[];
  /** Draws a line that the reply does not need. */
  readonly further: () => string;
  readonly question: string;
  readonly references: readonly string[];
}

/** Declares the family of a procedure, with one task of the same name: lines, of which the reply needs some, and a question. */
export function procedureFamily({ name, about, scorer, write, make }: {
  readonly name: "path_traversal" | "tom_tracking";
  readonly about: string;
  readonly scorer: Scorer;
  readonly write: WriteReply;
  make(request: ProcedureRequest): Procedure;
}): Family {
  // Sample ids tell families apart by their suites, as the knobs are the same.
  const suite = `longproc-${name.replace("_", "-")}-1`;
  return family({
    suite,
    name,
    about,
    category: "multi-hop tracing",
    knobs: {
      output: whole(
        { from: 512, to: 16_384, byDefault: 512 },
        "most tokens of the right reply; 512, 2048 and 8192 in the paper",
      ),
    },
    tasks: { [name]: {} },
    scorers: [scorer],
    answerRoom: ({ output }) => Math.ceil(1.125 * output),
    write,
    harder: { output: "up" },
    recipe({ output }, { seed, index, materials }): Recipe {
      const { tokenizer, words } = materials;
      const draw = stream(seed, suite, output, index);
      const { needed, further, question, references } = make({ draw, output, tokenizer, words });
      const [offset] = spread([seed, suite, output], { index, dimensions: 1 }) as [number];
      const parts = needed.map((fact) => ({ measured: measure(`${fact.text}\n`, tokenizer), fact }));
      const before = [{ measured: measureOnce(WORDING[name].join("\n"), materials) }];
      const after = [{ measured: measure(`\n${question}`, tokenizer) }];
      const drawLine = (): Part => ({ measured: measure(`${further()}\n`, tokenizer) });
      const fill = fillBy(lineFiller({ draw: drawLine, tokenizer, passes: 8 }), (size, filler): Layout => {
        const breakOf = (at: number): number => Math.floor((at + offset) / parts.length * (size + 1));
        const planted = parts.map((part, at) => ({ at: breakOf(at), part: () => part }));
        return { before, context: plantFacts(planted, { filler, size }), after };
      });
      return { ...fill, answerPrefix: "", references: () => references };
    },
  });
}

/** Tokens of a reply that are none of its steps, such as tags. */
const FRAME = 16;

/** Takes steps, whose values are lines of the reply, as long as the reply has at most `output` tokens. */
export function takeSteps(steps: Iterable<PartFact>, { output, tokenizer }: ProcedureRequest): readonly PartFact[] {
  const taken: PartFact[] = [];
  let left = output - FRAME;
  for (const step of steps) {
    left -= tokenizer.count(`${step.value}\n`);
    if (left < 0) break;
    taken.push(step);
  }
  return taken;
}
