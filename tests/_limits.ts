/**
 * Gives every test a time limit, so that a test that hangs fails by its name: importing this module does it. The limits are far
 * above what the tests need on a busy machine; a test that needs longer sets its own `timeout`.
 */
const LIMITS: readonly (readonly [folder: string, seconds: number])[] = [
  ["/tests/proofs/", 7200],
  ["/tests/slow/", 600],
  ["/e2e", 300],
  ["", Deno.env.get("FATHOM_CASES") === "all" ? 600 : 60],
];

/** The limit of a test, and of the import of a file of tests. */
export const LIMIT_SECONDS = Number(Deno.env.get("FATHOM_TEST_SECONDS")) ||
  LIMITS.find(([folder]) => Deno.mainModule.includes(folder))![1];

type Body = (...args: readonly unknown[]) => unknown;
type Options = Partial<Omit<Deno.TestDefinition, "fn">> & { readonly fn?: Body };
type Register = (name: string, options: Options, fn: Body) => void;
type Test = (first: string | Body | Options, second?: Body | Options, third?: Body) => void;

const { test } = Deno;

/** Where Deno looks for the place of a test in its source. */
const PLACE = Symbol.for("Deno.test.location");

Object.assign(Deno, {
  test: Object.assign(limited(test as Register), test, {
    each: (rows: readonly unknown[]) => limited(test.each(rows as readonly unknown[][]) as Register),
  }),
});

/** The test that runs, and from when on it counts as cut off. */
let running: { readonly name: string; readonly until: number } | undefined;

function limited(register: Register): Test {
  return (first, second, third) => {
    const given = [first, second].find((part) => typeof part === "object") ?? {};
    const { name: named, fn: own, timeout = LIMIT_SECONDS * 1000, ...options } = given as Options;
    const fn = [third, second, first, own].find((part) => typeof part === "function") as Body;
    const name = typeof first === "string" ? first : named ?? fn.name;
    atCaller(() => register(name, { ...options, timeout }, guarded(fn, timeout)));
  };
}

/** A test that was cut off may still be at work: those after it in its isolate fail at once, and name it. */
function guarded(fn: Body, timeout: number): Body {
  return async (...args): Promise<void> => {
    const begun = performance.now();
    if (running !== undefined && begun >= running.until) throw new Error(`Not run, as this test hung: ${running.name}`);
    running = { name: (args.at(-1) as Deno.TestContext).name, until: begun + 0.9 * timeout };
    try {
      await fn(...args);
    } finally {
      running = undefined;
    }
  };
}

/** Deno names the file that calls it, which would be this one: it gets the place of the caller. */
function atCaller(register: () => void): void {
  const places = new Error().stack!.match(/file:\/\/\S+:\d+:\d+/g) ?? [];
  const place = places.find((line) => !line.startsWith(import.meta.url));
  Object.defineProperty(Function.prototype, PLACE, { configurable: true, get: () => place, set: () => {} });
  try {
    register();
  } finally {
    Reflect.deleteProperty(Function.prototype, PLACE);
  }
}
