import { deepEqual, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Spec } from "@/lib/figures/mod.ts";
import { ORDERED } from "@/lib/figures/colours.ts";

/** The colours of series of one chart, by name. */
type Colours = Readonly<Record<string, string>>;

const folder = new URL("../../notebooks/", import.meta.url);
const notebooks = readdirSync(folder).filter((name) => name.endsWith(".ipynb")).sort();

/** The figures of a committed notebook. */
function figuresOf(notebook: string): readonly Spec[] {
  const { cells } = JSON.parse(readFileSync(new URL(notebook, folder), "utf8"));
  return cells.flatMap(({ outputs = [] }: { outputs?: { data?: Record<string, Spec> }[] }) =>
    outputs.flatMap(({ data }) => data?.["application/vnd.vegalite.v5+json"] ?? [])
  );
}

/** Every scale of series in a specification. */
function coloursIn(value: unknown): Colours[] {
  if (typeof value !== "object" || value === null) return [];
  const { color } = value as { readonly color?: { readonly scale?: { domain?: unknown; range?: unknown } } };
  const { domain, range } = color?.scale ?? {};
  const own = Array.isArray(domain) && Array.isArray(range) && typeof domain[0] === "string"
    ? [Object.fromEntries(domain.map((name, at) => [name, range[at]]))]
    : [];
  return [...own, ...Object.values(value).flatMap(coloursIn)];
}

/** Whether red, green and blue are equal. */
function isGrey(colour: string): boolean {
  return /^#(..)\1\1$/.test(colour);
}

/** Settings of two knobs, not models. */
const NO_MODELS = ["random"];

Deno.test.each(notebooks.map((name) => [name]))("%s has at most eight hues a chart", (notebook) => {
  for (const figure of figuresOf(notebook)) {
    for (const colours of coloursIn(figure)) {
      const hues = new Set(Object.values(colours).filter((colour) => !isGrey(colour)));
      ok(hues.size <= 8, `${JSON.stringify(figure["title"])}: ${[...hues].join(", ")}`);
    }
  }
});

Deno.test.each(notebooks.map((name) => [name]))("%s gives a model the same colour in all its figures", (notebook) => {
  const colours = new Map<string, Set<string>>();
  for (const scale of figuresOf(notebook).flatMap(coloursIn)) {
    // Ordered series, such as lengths, are no models: their colour is their place among those shown.
    if (Object.values(scale).every((colour) => ORDERED.includes(colour))) continue;
    for (const [name, colour] of Object.entries(scale)) {
      const model = name.replace(/ \((simulated|\d+)\)$/, "");
      colours.set(model, (colours.get(model) ?? new Set()).add(colour));
    }
  }
  const several = [...colours].filter(([name, ofName]) => ofName.size > 1 && !NO_MODELS.includes(name));
  deepEqual(several.map(([name, ofName]) => `${name}: ${[...ofName].join(", ")}`), []);
});

Deno.test("every mark of a committed picture that names itself has a tooltip, and no label is cut to nothing", () => {
  const pictures = new URL("../../results/figures/", import.meta.url);
  for (const name of readdirSync(pictures).filter((file) => file.endsWith(".svg"))) {
    const svg = readFileSync(new URL(name, pictures), "utf8");
    ok(svg.includes("<title>"), `${name} has no tooltip`);
    ok(!/<(path|rect|line) aria-label=/.test(svg), `${name} has a mark without a tooltip`);
    ok(!svg.includes(">…<"), `${name} has a label without a letter`);
  }
});
