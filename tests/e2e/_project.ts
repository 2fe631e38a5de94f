import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { type Jupyter, type JupyterNeed, readyJupyter, registerKernel } from "@/lib/jupyter/set_up_jupyter.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

/** The Jupyter that this machine has ready for the project, or `undefined`. */
export function findReady(need: JupyterNeed): Promise<Jupyter | undefined> {
  return readyJupyter(need, ROOT);
}

/** Chromium's program, or `undefined` where this machine has none. */
export function findChromium(): string | undefined {
  const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return programs.find(isFile);
}

/** A program of the PATH or of further folders, or `undefined` where none of them has one. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const all = [...(Deno.env.get("PATH") ?? "").split(":"), ...folders];
  return all.map((folder) => `${folder}/${name}`).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A port of this machine that nobody listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** A name that says why a test is skipped, where it is. */
export function named(name: string, missing: Readonly<Record<string, boolean>>): string {
  const reasons = Object.entries(missing).filter(([, isMissing]) => isMissing).map(([reason]) => reason);
  return reasons.length === 0 ? name : `${name} (skipped: ${reasons.join("; ")})`;
}

const MISSING = {
  jupyter: "Jupyter is not set up; deno task setup does it",
  chromium: "there is no Chromium",
} as const;

/** Adds a test that is skipped where one of the programs that it needs is missing; its name says which. */
export function testWith<Tools extends { readonly [name in keyof typeof MISSING]?: unknown }>(
  tools: Tools,
  name: string,
  run: (tools: { readonly [name in keyof Tools]: NonNullable<Tools[name]> }) => Promise<void>,
): void {
  const reasons = Object.entries(tools).map(([tool, found]) => [Object(MISSING)[tool], found === undefined]);
  const missing: Readonly<Record<string, boolean>> = Object.fromEntries(reasons);
  const ignore = Object.values(missing).includes(true);
  Deno.test({ name: named(name, missing), ignore, fn: () => run(tools as Parameters<typeof run>[0]) });
}

/** A project of its own in a temporary folder, holding fixtures as its notebooks. */
export interface TestProject {
  readonly folder: string;
  readonly jupyter: Jupyter;
  readonly remove: () => Promise<void>;
}

/** Makes a project whose notebooks are fixtures, by the names they get. */
export async function makeProject(jupyter: Jupyter, fixtures: Readonly<Record<string, string>>): Promise<TestProject> {
  const paths = Object.entries(fixtures).map((
    [name, fixture],
  ) => [name, `${ROOT}/tests/e2e/fixtures/${fixture}.ipynb`]);
  return await projectOf(jupyter, Object.fromEntries(paths));
}

/** Makes a project with this one's notebooks, code and data, and without results. */
export async function makeWholeProject(jupyter: Jupyter): Promise<TestProject> {
  const names = await listNotebooks(ROOT);
  const project = await projectOf(
    jupyter,
    Object.fromEntries(names.map((name) => [name, `${ROOT}/notebooks/${name}.ipynb`])),
  );
  for (const name of ["deno.json", "deno.lock"]) await Deno.copyFile(`${ROOT}/${name}`, `${project.folder}/${name}`);
  for (const name of ["lib", "data"]) await Deno.symlink(`${ROOT}/${name}`, `${project.folder}/${name}`);
  return project;
}

/** Makes a project in a temporary folder with copies of notebooks. */
async function projectOf(jupyter: Jupyter, notebooks: Readonly<Record<string, string>>): Promise<TestProject> {
  const folder = await Deno.makeTempDir({ prefix: "fathom-e2e-" });
  await Deno.mkdir(`${folder}/notebooks`);
  for (const [name, path] of Object.entries(notebooks)) await Deno.copyFile(path, `${folder}/notebooks/${name}.ipynb`);
  const env = await registerKernel(folder);
  return { folder, jupyter: { ...jupyter, env }, remove: () => Deno.remove(folder, { recursive: true }) };
}
