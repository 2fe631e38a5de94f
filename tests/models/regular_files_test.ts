import { equal, rejects } from "node:assert/strict";
import { explainFileError, readRegularText } from "@/lib/models/mod.ts";

Deno.test("readRegularText() refuses a text that is longer than any string, before it reads it", async () => {
  const path = await Deno.makeTempFile();
  await Deno.truncate(path, 2 ** 30);
  await rejects(readRegularText(path), { name: "RangeError", message: /^it has 1073741824 bytes, more than \d+$/ });
  await Deno.remove(path);
});

Deno.test("explainFileError() explains links that lead in a circle", async () => {
  const folder = await Deno.makeTempDir();
  for (const [link, target] of [["a", "b"], ["b", "a"]]) await Deno.symlink(`${folder}/${target}`, `${folder}/${link}`);
  await rejects(readRegularText(`${folder}/a`), (error) => explainFileError(error) === "its links lead in a circle");
  await rejects(Deno.readTextFile(`${folder}/a`), (error) => explainFileError(error) === "its links lead in a circle");
  equal(explainFileError("other"), "other");
  await Deno.remove(folder, { recursive: true });
});
