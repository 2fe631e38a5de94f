import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";

/** Llama 3.1's default date, fixed so that prompts do not change. */
const DATE = "26 Jul 2024";

/** Bounds a rendering, as a stranger's file can loop; those of models take below 10,000 steps. */
const MOST_STEPS = 200_000;

/** The characters of a text, or the entries of a list, that count as one more step. */
const STEP_SIZE = 100;

/** Bounds a template, as the library looks through each run of spaces once from every space in it. */
const MOST_CHARS = 40_000;

function tooMuch(bound: string): RangeError {
  return new RangeError(`Cannot render the template as it must end within ${bound}`);
}

class BoundedInterpreter extends Interpreter {
  #steps = 0;

  override evaluate(...step: Parameters<Interpreter["evaluate"]>): ReturnType<Interpreter["evaluate"]> {
    const result = super.evaluate(...step);
    const { length = 0, size = length } = Object(result.value);
    this.#steps += 1 + (Number(size) || 0) / STEP_SIZE;
    if (this.#steps > MOST_STEPS) throw tooMuch(`${MOST_STEPS} steps`);
    return result;
  }
}

/** Python's `range`, of whole numbers. */
function range(first: number, second?: number, step = 1): readonly number[] {
  const [start, stop] = typeof second === "number" ? [first, second] : [0, first];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  // A step of 0 never ends, and of no numbers the count is NaN.
  if (!(count <= MOST_STEPS)) throw tooMuch(`ranges of ${MOST_STEPS} numbers`);
  return Array.from({ length: count }, (_, at) => start + at * step);
}

const KNOWN = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  "date_string": DATE,
  "strftime_now": (): string => DATE,
  "raise_exception": (message: string): never => {
    throw new Error(`Cannot render the template as its own check must pass: ${message}`);
  },
  range,
};

/**
 * Compiles a Jinja template; the result renders it with the given values. The date is always the same.
 *
 * @throws {RangeError} If it is too long, or a rendering takes more than a bounded number of steps.
 * @throws {SyntaxError} If it is no template.
 */
export function compileJinja(source: string): (values: Readonly<Record<string, unknown>>) => string {
  if (source.length > MOST_CHARS) throw tooMuch(`${MOST_CHARS} characters`);
  const program = parse(tokenize(quoteRaw(source), { lstrip_blocks: true, trim_blocks: true }));
  return (values) => {
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...KNOWN, ...values })) environment.set(name, value);
    return String(new BoundedInterpreter(environment).run(program).value);
  };
}

/** Writes raw blocks, which the library does not know, as texts in quotes. */
function quoteRaw(source: string): string {
  const block = /\{%(-?)\s*raw\s*(-?)%\}(.*?)\{%(-?)\s*endraw\s*(-?)%\}/gs;
  return source.replaceAll(
    block,
    (_, before: string, trimsStart: string, text: string, trimsEnd: string, after: string) => {
      const started = trimsStart ? text.trimStart() : text;
      return `{{${before} ${JSON.stringify(trimsEnd ? started.trimEnd() : started)} ${after}}}`;
    },
  );
}
