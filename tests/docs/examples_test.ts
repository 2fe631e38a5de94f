import { deepEqual, equal, rejects } from "node:assert/strict";
import { listFiles } from "../house/_source.ts";
import { inFolder } from "../_folder.ts";

// What deno test --doc does, with all examples in one isolate; tests/jupyter/notebooks_test.ts checks their types.

const ROOT = new URL("../../", import.meta.url);

/** A block of TypeScript in a comment of lib or on a page. */
interface Example {
  /** Its file, from the root. */
  readonly path: string;
  /** The line of the file on which its code begins. */
  readonly line: number;
  readonly code: string;
}

/** The examples of a file, but for those marked `ignore`. */
function findExamples(path: string, text: string): Example[] {
  const blocks = text.matchAll(/^([ *]*)```ts\n(.*?)^\1```$/gms);
  return Array.from(blocks, ({ 1: margin = "", 2: code = "", index }) => ({
    path,
    line: text.slice(0, index).split("\n").length + 1,
    code: code.split("\n").map((line) => line.slice(margin.length)).join("\n"),
  }));
}

const IMPORTS = /^import\s[^;]*;\n/gm;

/** An example as a function of a module. It need not import the names that its own file exports. */
function writeModule({ path, code }: Example, exported: readonly string[]): string {
  const imports = (code.match(IMPORTS) ?? []).join("");
  const isIn = (name: string, text: string): boolean => RegExp(`\\b${name}\\b`).test(text);
  const names = exported.filter((name) => isIn(name, code) && !isIn(name, imports));
  const own = names.length === 0 ? "" : `import { ${names.join(", ")} } from "@/${path}";\n`;
  return `${own}${imports}export default async function () {\n${code.replaceAll(IMPORTS, "")}}\n`;
}

type Run = () => Promise<void>;

/**
 * Opens examples, as modules in a folder. They are imported all at once, which is quicker than one by one; where one of
 * them is no module, each is imported when it is run.
 */
async function openExamples(examples: readonly Example[], folder: string): Promise<Run[]> {
  const modules = examples.map(({ path, line }) => `file://${folder}/${path.replaceAll("/", "-")}-${line}.ts`);
  for (const [number, example] of examples.entries()) {
    const { path } = example;
    const exported = path.endsWith(".ts") ? Object.keys(await import(new URL(path, ROOT).href)) : [];
    await Deno.writeTextFile(new URL(modules[number]!), writeModule(example, exported));
  }
  const lines = modules.map((module, number) => `export { default as run${number} } from "${module}";\n`);
  await Deno.writeTextFile(`${folder}/all.ts`, lines.join(""));
  const all: Readonly<Record<string, Run>> = await import(`file://${folder}/all.ts`).catch(() => ({}));
  return modules.map((module, number) => all[`run${number}`] ?? (async () => await (await import(module)).default()));
}

const PAGES = ["README.md", "docs/own-benchmark.md"];

const files = [...PAGES, ...listFiles("lib").filter((path) => path.endsWith(".ts"))];
const texts = files.map((path) => ({ path, text: Deno.readTextFileSync(new URL(path, ROOT)) }));
const examples = texts.flatMap(({ path, text }) => findExamples(path, text));

const folder = await Deno.makeTempDir();
const runs = await openExamples(examples, folder);
for (const [number, { path, line }] of examples.entries()) {
  Deno.test(`the example of ${path}:${line} holds`, runs[number]!);
}
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

Deno.test("every block of TypeScript is found", () => {
  const begun = texts.flatMap(({ text }) => text.match(/```(?:ts|js|tsx|typescript|javascript)\b(?! ignore)/g) ?? []);
  equal(examples.length, begun.length);
});

const PAGE =
  '/**\n * Adds.\n *\n * ```ts\n * import { equal } from "node:assert/strict";\n *\n * equal(add(1, 2), 4);\n * ```\n */';

Deno.test("findExamples() gives the code of a block and its line", () => {
  const code = 'import { equal } from "node:assert/strict";\n\nequal(add(1, 2), 4);\n';
  deepEqual(findExamples("lib/add.ts", PAGE), [{ path: "lib/add.ts", line: 5, code }]);
  deepEqual(findExamples("a.md", "```ts ignore\nadd();\n```\n"), []);
  equal(
    writeModule({ path: "lib/add.ts", line: 5, code }, ["add", "equal", "take"]),
    'import { add } from "@/lib/add.ts";\nimport { equal } from "node:assert/strict";\n' +
      "export default async function () {\n\nequal(add(1, 2), 4);\n}\n",
  );
});

Deno.test("an example that does not hold fails", async () => {
  const [example] = findExamples("README.md", PAGE.replace("add(1, 2)", "3"));
  await inFolder(async (folder) => {
    const [run] = await openExamples([example!], folder);
    await rejects(run!(), { name: "AssertionError" });
  });
});

Deno.test("every name that an example of docs imports as a value is exported", async () => {
  for (const path of listFiles("docs").filter((path) => path.endsWith(".md"))) {
    for (const { code, line } of findExamples(path, await Deno.readTextFile(new URL(path, ROOT)))) {
      for (const [, names = "", module] of code.matchAll(/^import \{([^}]*)\} from "@\/(lib\/[^"]+)";$/gms)) {
        const exported = Object.keys(await import(new URL(module!, ROOT).href));
        const values = names.split(",").map((name) => name.trim().split(" as ")[0]!)
          .filter((name) => name !== "" && !name.startsWith("type "));
        deepEqual(values.filter((name) => !exported.includes(name)), [], `${path}:${line}`);
      }
    }
  }
});
