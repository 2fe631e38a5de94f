import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";

/** The parts of the date in templates by their codes in strftime: Llama 3.1's default, fixed so that prompts do not change. */
const DAY_PARTS = new Map(
  "d=26 e=26 m=07 y=24 Y=2024 b=Jul B=July a=Fri A=Friday j=208 D=07/26/24 F=2024-07-26 H=00 I=12 M=00 S=00 p=AM T=00:00:00 Z=UTC %=%"
    .split(" ").map((part) => part.split("=") as [string, string]),
);

/** Bounds of a rendering, as a stranger's file can loop; those of models take below 10,000 steps and a tenth of a second. */
const MOST = { size: 2 ** 20, spaces: 500, steps: 200_000, milliseconds: 3000 };

function tooMuch(bound: string): RangeError {
  return new RangeError(`Cannot render the template as it must end within ${bound}`);
}

function checkSize(size: number): void {
  if (size > MOST.size) throw tooMuch(`texts and lists of ${MOST.size}`);
}

class BoundedInterpreter extends Interpreter {
  #steps = 0;
  readonly #startMs = performance.now();

  override evaluate(...step: Parameters<Interpreter["evaluate"]>): ReturnType<Interpreter["evaluate"]> {
    const result = super.evaluate(...step);
    const { length = 0, size = length } = Object(result.value);
    if (typeof size === "number") checkSize(size);
    if (++this.#steps > MOST.steps) throw tooMuch(`${MOST.steps} steps`);
    const isLate = this.#steps % 64 === 0 && performance.now() - this.#startMs > MOST.milliseconds;
    if (isLate) throw tooMuch(`${MOST.milliseconds} ms`);
    return result;
  }
}

/** Python's `range`, of whole numbers. */
function range(first: number, second?: number, step = 1): readonly number[] {
  const [start, stop] = typeof second === "number" ? [first, second] : [0, first];
  const count = Math.max(0, Math.ceil((stop - start) / (Number(step) || NaN)));
  if (!Number.isFinite(count)) {
    throw new RangeError("Cannot render the template as range() must have numbers, and a step other than 0");
  }
  checkSize(count);
  return Array.from({ length: count }, (_, at) => start + at * step);
}

const KNOWN = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  "date_string": "26 Jul 2024",
  "strftime_now": (format: string): string => format.replaceAll(/%-?(.)/g, (code, name) => DAY_PARTS.get(name) ?? code),
  "raise_exception": (message: string): never => {
    throw new Error(`Cannot render the template as its own check must pass: ${message}`);
  },
  range,
};

/**
 * Compiles a Jinja template; the result renders it with the given values. The date is always the same.
 *
 * @throws {RangeError} If it is too long, or a rendering takes more than a bounded amount of work.
 * @throws {SyntaxError} If it is no template.
 */
export function compileJinja(source: string): (values: Readonly<Record<string, unknown>>) => string {
  checkSize(source.length);
  // The library looks through each run of spaces once from every space in it.
  if (new RegExp(String.raw`\s{${MOST.spaces + 1}}`).test(source)) {
    throw new RangeError(`Cannot render the template as it must have at most ${MOST.spaces} spaces in a row`);
  }
  const program = plainly(() => parse(tokenize(quoteRaw(source), { lstrip_blocks: true, trim_blocks: true })));
  return (values) => {
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...KNOWN, ...values })) environment.set(name, value);
    return plainly(() => String(new BoundedInterpreter(environment).run(program).value));
  };
}

/** Explains what the engine throws at its own bounds. */
function plainly<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    const { message } = error as Error;
    if (message === "Invalid string length") throw tooMuch(`texts and lists of ${MOST.size}`);
    if (message !== "Maximum call stack size exceeded") throw error;
    throw new RangeError("Cannot render the template as its nesting must be within bounds");
  }
}

/** Writes raw blocks, which the library does not know, as texts in quotes. */
function quoteRaw(source: string): string {
  const parts: string[] = [];
  let [from, open]: [number, RegExpExecArray | undefined] = [0, undefined];
  for (const mark of source.matchAll(/\{%(-?)\s*(raw|endraw)\s*(-?)%\}/g)) {
    const [whole, before, name, after] = mark;
    if (name === "raw") open ??= mark;
    if (name === "raw" || open === undefined) continue;
    const text = source.slice(open.index + open[0].length, mark.index);
    const started = open[3] ? text.trimStart() : text;
    const quoted = JSON.stringify(before ? started.trimEnd() : started);
    parts.push(source.slice(from, open.index), `{{${open[1]} ${quoted} ${after}}}`);
    [from, open] = [mark.index + whole.length, undefined];
  }
  return [...parts, source.slice(from)].join("");
}
