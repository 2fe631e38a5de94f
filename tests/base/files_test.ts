import { deepEqual, equal, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import {
  explainFileError,
  isFile,
  openRegular,
  readRegular,
  readRegularText,
  readRegularTextSync,
} from "@/lib/base/mod.ts";

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

const READERS: readonly ((path: string, maxBytes?: number) => Promise<string>)[] = [
  readRegularText,
  (...given) => Promise.try(readRegularTextSync, ...given),
  async (...given) => new TextDecoder().decode(await readRegular(...given)),
  async (...given) => {
    await using file = await openRegular(...given);
    return await file.readFile("utf8");
  },
];

Deno.test("a regular file is read up to its limit, and a folder or a device is refused before it is opened", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.txt`;
    await Deno.writeTextFile(path, "abc");
    for (const read of READERS) {
      deepEqual([await read(path), await read(path, 3)], ["abc", "abc"]);
      await rejects(read(path, 2), { name: "RangeError", message: /2/ });
      for (const other of [folder, "/dev/null"]) await rejects(read(other), { name: "RangeError" });
      await rejects(read(`${folder}/none`), { code: "ENOENT" });
    }
    deepEqual(await Promise.all([path, folder, "/dev/null", `${folder}/none`].map(isFile)), [
      true,
      ...Array(3).fill(false),
    ]);
  });
});
