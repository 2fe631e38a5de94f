import type { Command } from "commander";
import { join } from "node:path";
import { plural } from "@/lib/base/mod.ts";
import type { Output } from "./output.ts";
import type { Flags, Given } from "./flags.ts";
import { checkCorpus, CORPORA_FOLDER, type Corpus, fetchCorpus, pickCorpora, readCorpora } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const data = program.command("data")
    .description(
      "The papers' texts have their own licences and are not distributed with Fathom. They are fetched to data/corpora/, checked by " +
        "their hashes, and used by the flags that the list names.",
    );
  data.command("list")
    .description("Lists the corpora with their use, licence and state; files are checked by their hashes.")
    .option("--folder <folder>", "folder of the corpora", CORPORA_FOLDER)
    .option("--json", "print a JSON object per corpus")
    .action(async (flags: DataFlags) => {
      for (const corpus of await readCorpora()) await output.write(await listed(corpus, flags));
    });
  data.command("fetch")
    .description("Fetches corpora, by default all. Files with the right hash are kept.")
    .argument("[names...]", "names of corpora; see fathom data list")
    .option("--folder <folder>", "folder of the corpora", CORPORA_FOLDER)
    .option("--from <folder>", "copy from this folder, at any depth, instead of the network")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom data fetch paul-graham-essays squad-dev-2.0\n  fathom data fetch --from ~/downloads\n" +
        "  fathom generate --tasks niah_single_2 --lengths 4K --essays data/corpora/paul-graham-essays",
    )
    .action(async (names: readonly string[], flags: DataFlags) => {
      for (const corpus of pickCorpora(await readCorpora(), names)) {
        const counts = new Map<string, number>();
        await fetchCorpus(corpus, {
          folder: flags.folder,
          from: flags.from,
          onFile: (_, done) => counts.set(done, (counts.get(done) ?? 0) + 1),
        });
        const done = [...counts].map(([what, count]) => `${count} ${plural(count, "file")} ${what}`).join(", ");
        await output.write(`${corpus.name}: ${done}; ${useOf(corpus, flags.folder)}\n`);
        output.note(`${corpus.name}: ${corpus.licence}`);
      }
    });
}

type DataFlags = Flags & Given<"from", string> & { readonly folder: string };

async function listed(corpus: Corpus, { folder, json }: DataFlags): Promise<string> {
  const { name, for: usedBy, licence, base, files } = corpus;
  const states = await checkCorpus(corpus, folder);
  const pathsOf = (wanted: string): string[] =>
    states.filter(({ state }) => state === wanted).map(({ file }) => file.path);
  const [here, wrong] = [pathsOf("here").length, pathsOf("wrong")];
  if (json) return `${JSON.stringify({ name, usedBy, licence, base, files: files.length, here, wrong })}\n`;
  const part = here === 0 ? "not here" : `${here} of ${files.length} files here`;
  const state = here === files.length ? "here" : part;
  const fix = wrong.length === 0 ? "" : `; wrong: ${wrong.join(", ")}; fathom data fetch repairs them`;
  const count = `${files.length} ${plural(files.length, "file")}`;
  return `${name}: ${state}${fix}\n  for ${usedBy.join(", ")}: ${
    useOf(corpus, folder)
  }\n  ${count}, ${licence}\n  ${base}\n`;
}

function useOf({ name, use }: Corpus, folder: string): string {
  return use.replace("FOLDER", () => join(folder, name));
}
