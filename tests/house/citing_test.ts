import { deepEqual, equal } from "node:assert/strict";

Deno.test("CITATION.cff has the sources of docs/citing.md, with the same titles and authors", async () => {
  const [references, page] = [await Deno.readTextFile("CITATION.cff"), await Deno.readTextFile("docs/citing.md")];
  const entries = (page.match(/^```bibtex\n.*?^```/gms) ?? []).join("\n").replaceAll('{\\"u}', "ü").replaceAll(
    /[{}]/g,
    "",
  );
  const sources = references.slice(references.indexOf("references:")).split(/^ {2}- /m).slice(1);
  equal(sources.length, entries.match(/^@/gm)?.length);
  for (const source of sources) {
    const [, title] = /^ {4}title: "?(.*?)"?$/m.exec(source)!;
    const authors = Array.from(
      source.matchAll(/family-names: (.*), given-names: (.*) \}/g),
      ([, family, given]) => `${family}, ${given}`,
    );
    deepEqual([title, ...authors].filter((words) => !entries.includes(words!)), []);
  }
});
