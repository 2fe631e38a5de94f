import { deepEqual, equal, throws } from "node:assert/strict";
import { isZip, openZip, packZip } from "@/lib/runs/zip_file.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const FILES = [
  { path: "a.txt", content: bytesOf("hello ".repeat(1000)) },
  { path: "ü/é.json", content: bytesOf("{}") },
  { path: "empty", content: bytesOf("") },
];

Deno.test("openZip() reads what packZip() packed, which is the same every time", () => {
  const packed = packZip(FILES);
  deepEqual(packZip(FILES), packed);
  const archive = openZip(packed, "a.zip");
  deepEqual(archive.entries, FILES.map(({ path, content }) => ({ path, bytes: content.length })));
  for (const { path, content } of FILES) deepEqual(archive.read(path), content);
  equal(isZip(packed), true);
  equal(isZip(bytesOf("PK")), false);
});

Deno.test("openZip() refuses an archive that is cut short, changed, or holds a path twice", () => {
  const packed = packZip(FILES);
  for (const length of [packed.length - 30, 40, 22]) {
    throws(() => openZip(packed.slice(0, length), "a.zip"), {
      name: "SyntaxError",
      message:
        `Cannot read the archive "a.zip" as it must be a whole ZIP file: current value is a file of ${length} bytes`,
    });
  }
  const changed = packed.slice();
  changed[40]! ^= 1;
  throws(() => openZip(changed, "a.zip").read("a.txt"), /"a\.txt" must be whole and of the checksum that is listed/);
  throws(() => openZip(packZip([FILES[0]!, FILES[0]!]), "a.zip"), /each of its files must be there once/);
  throws(() => openZip(packed, "a.zip").read("b.txt"), /it must hold "b\.txt"/);
});

Deno.test("openZip() unpacks no more than an archive lists, as a bomb would have it", () => {
  const packed = packZip([{ path: "bomb", content: new Uint8Array(10_000_000) }]);
  const view = new DataView(packed.buffer);
  const listed = packed.length - 22 - 46 - "bomb".length;
  view.setUint32(listed + 24, 10, true);
  throws(() => openZip(packed, "a.zip").read("bomb"), /"bomb" must be whole/);
});
