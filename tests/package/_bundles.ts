import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Fills a folder with packages, by their addresses, in the versions of deno.lock, for the bundlers. */
export async function stagePackages(stage: string, imports: Readonly<Record<string, string>>): Promise<void> {
  await writeBelow(stage, "deno.json", JSON.stringify({ imports, nodeModulesDir: "auto" }));
  await copyFile(join(ROOT, "deno.lock"), join(stage, "deno.lock"));
  await output(Deno.execPath(), ["install", "--quiet"], stage);
}

/** The licences of the packages in the bundle. */
export async function licences(stage: string, { inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const texts = await Promise.all(
    [...new Set(folders)].sort().map(async (folder) => {
      const read = (file: string): Promise<string> => readFile(join(stage, folder, file), "utf8");
      const { name, version, license } = JSON.parse(await read("package.json"));
      const file = (await readdir(join(stage, folder))).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version} (${license})\n\n${file === undefined ? "" : await read(file)}`.trim();
    }),
  );
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Functions of the language that Deno has, and that Node 22 and 24 and some browsers lack. */
export const POLYFILLS = `const hex = (code) => code.toString(16).padStart(2, "0");
RegExp.escape ??= (text) => text.replaceAll(/^[0-9A-Za-z]|[!-/:-@[-^\`{-~]/g, (sign) => "\\\\x" + hex(sign.charCodeAt()));
Uint8Array.prototype.toBase64 ??= function () {
  return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString("base64");
};
for (const { prototype } of [Map, WeakMap]) {
  prototype.getOrInsertComputed ??= function (key, compute) {
    if (!this.has(key)) this.set(key, compute(key));
    return this.get(key);
  };
  prototype.getOrInsert ??= function (key, value) {
    return this.getOrInsertComputed(key, () => value);
  };
}
`;

/** Writes a file of a folder, and the folders on its way. */
export async function writeBelow(folder: string, path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** What a program prints; an error with what it says where it fails. */
export async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } })
    .output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(
    `Cannot build the package as ${program} ${args[0]} must succeed: ${decoder.decode(stderr).slice(-2000)}`,
  );
}
