import { deepEqual, rejects } from "node:assert/strict";
import { listNotebooks } from "@/lib/jupyter/lab.ts";

async function withProject(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/notebooks/.ipynb_checkpoints`, { recursive: true });
  for (const name of ["10-last", "02-second", "01-first", "draft"]) {
    await Deno.writeTextFile(`${folder}/notebooks/${name}.ipynb`, "{}");
  }
  await use(folder).finally(() => Deno.remove(folder, { recursive: true }));
}

Deno.test("listNotebooks() lists the numbered notebooks in order, and no draft", async () => {
  await withProject(async (folder) => deepEqual(await listNotebooks(folder), ["01-first", "02-second", "10-last"]));
});

Deno.test("listNotebooks() chooses by number, name or file name, in the order of the numbers", async () => {
  await withProject(async (folder) => {
    deepEqual(await listNotebooks(folder, ["10", "02-second.ipynb"]), ["02-second", "10-last"]);
  });
});

Deno.test("listNotebooks() refuses a name that fits none", async () => {
  await withProject(async (folder) => {
    const message =
      'Cannot choose a notebook as its name must be one of 01-first, 02-second, 10-last: current value is "1"';
    await rejects(listNotebooks(folder, ["1"]), { name: "RangeError", message });
  });
});
