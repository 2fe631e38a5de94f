import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { zipSync } from "fflate";
import { inFolder } from "../_folder.ts";
import { isZip, openZip, writeZip } from "@/lib/exchange/zip_file.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const FILES = {
  "a.txt": bytesOf("hello ".repeat(1000)),
  "ü/é.json": bytesOf("{}"),
  empty: bytesOf(""),
};

Deno.test("openZip() reads what another library packed", () => {
  const packed = zipSync(FILES);
  const archive = openZip(packed, "a.zip");
  deepEqual(archive.paths, Object.keys(FILES));
  for (const [path, content] of Object.entries(FILES)) deepEqual(archive.read(path), content);
  equal(isZip(packed), true);
  // APPNOTE 6.3.10: the signatures of a file, of the list and of its end; its number of files.
  const view = new DataView(packed.buffer);
  const list = view.getUint32(packed.length - 6, true);
  deepEqual([0, list, packed.length - 22].map((at) => view.getUint32(at, true)), [0x04034b50, 0x02014b50, 0x06054b50]);
  deepEqual([14, 12].map((back) => view.getUint16(packed.length - back, true)), [3, 3]);
  equal(isZip(bytesOf("PK")), false);
});

Deno.test("openZip() refuses an archive that is cut short, changed, or holds a path twice", () => {
  const packed = zipSync(FILES);
  for (const length of [packed.length - 30, 40, 22]) {
    throws(() => openZip(packed.slice(0, length), "a.zip"), {
      name: "SyntaxError",
      message:
        `Cannot read the archive "a.zip" as it must be a whole ZIP file: current value is a file of ${length} bytes`,
    });
  }
  const changed = packed.slice();
  changed[40]! ^= 1;
  throws(() => openZip(changed, "a.zip").read("a.txt"), /"a\.txt" must be whole and match its checksum/);
  const twins = zipSync({ "a.txt": FILES.empty, "b.txt": FILES.empty });
  twins[twins.length - 22 - "b.txt".length] = "a".charCodeAt(0);
  throws(() => openZip(twins, "a.zip"), /each of its files must be there once/);
  throws(() => openZip(packed, "a.zip").read("b.txt"), /it must hold "b\.txt"/);
});

/** An archive of one file of zeros that lists another size than it has. */
function liar(bytes: number, listed: number): Uint8Array<ArrayBuffer> {
  const packed = zipSync({ bomb: new Uint8Array(bytes) });
  new DataView(packed.buffer).setUint32(packed.length - 22 - 46 - "bomb".length + 24, listed, true);
  return packed;
}

Deno.test("openZip() unpacks no more than an archive lists, as a bomb would have it", () => {
  throws(() => openZip(liar(10_000_000, 10), "a.zip").read("bomb"), /"bomb" must be whole/);
  throws(() => openZip(liar(10, 1000), "a.zip").read("bomb"), /"bomb" must be whole/);
});

Deno.test("openZip() refuses an archive that lists too much before it unpacks any of it", () => {
  throws(() => openZip(liar(1000, 2 ** 29 + 1), "a.zip"), {
    name: "SyntaxError",
    message:
      'Cannot read the archive "a.zip" as "bomb" must unpack to at most 536870912 bytes: current value is 536870913',
  });
  const parts = Array.from({ length: 5 }, (_, at) => [`part-${at}`, new Uint8Array(1)] as const);
  const many = zipSync(Object.fromEntries(parts));
  const view = new DataView(many.buffer);
  const line = 46 + "part-0".length;
  for (let at = 1; at <= 5; at++) view.setUint32(many.length - 22 - at * line + 24, 2 ** 29, true);
  throws(
    () => openZip(many, "a.zip"),
    /as its files together must unpack to at most 2147483648 bytes: current value is 2684354560$/,
  );
});

Deno.test("writeZip() writes what openZip() reads, and leaves no file where an entry cannot be made", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.zip`;
    await writeZip(path, [["ü/é.json", "{}"], ["b.txt", "hello ".repeat(1000)]]);
    const archive = openZip(await Deno.readFile(path), path);
    deepEqual(archive.paths, ["ü/é.json", "b.txt"]);
    deepEqual(archive.read("ü/é.json"), bytesOf("{}"));
    const broken = function* (): Generator<[string, string]> {
      yield ["a", "a"];
      throw new RangeError("no more");
    };
    await rejects(writeZip(`${folder}/b.zip`, broken()), /no more/);
    deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["a.zip"]);
  });
});
