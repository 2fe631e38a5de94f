import { equal, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { roomOf } from "./_rules.ts";
import { readSources } from "./_source.ts";

const PAGE = "ARCHITECTURE.md";
const isUpdate = Deno.args.includes("--update");

/** The most files of lib whose functions are called to take one needle sample from its study to its score. */
const MAX_FOLLOWED = 57;

/** Returns how often each named function of lib was called, by file and place, in a run of `_follow_sample.ts`. */
async function callCounts(argument: string): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  await inFolder(async (folder) => {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", `--coverage=${folder}`, "tests/house/_follow_sample.ts", argument],
      env: { NO_COLOR: "1" },
    }).output();
    ok(success, new TextDecoder().decode(stderr));
    for (const { name } of Deno.readDirSync(folder)) {
      const { url, functions } = JSON.parse(await Deno.readTextFile(`${folder}/${name}`));
      const path = /\/(lib\/.*\.ts)$/.exec(url)?.[1];
      if (path === undefined) continue;
      // A module's own code has no name.
      const called = functions.filter((item: { functionName: string }) => item.functionName !== "").map(
        (
          item: { ranges: { startOffset: number; count: number }[] },
        ) => [item.ranges[0]!.startOffset, item.ranges[0]!.count],
      );
      counts.set(path, new Map(called));
    }
  });
  return counts;
}

/** Lists the files of lib whose functions run for the sample, apart from those that run when the library is loaded. */
async function followSample(): Promise<string[]> {
  const [loaded, followed] = [await callCounts("load"), await callCounts("follow")];
  return [...followed].filter(([path, calls]) =>
    [...calls].some(([place, count]) => count > (loaded.get(path)?.get(place) ?? 0))
  ).map(([path]) => path).sort();
}

/** Replaces the text between two marks of the page, or checks that it is the same. */
function settle(mark: string, text: string): void {
  const page = Deno.readTextFileSync(PAGE);
  const [start, end] = [`<!-- ${mark} -->\n`, `<!-- end of ${mark} -->`];
  const [from, to] = [page.indexOf(start) + start.length, page.indexOf(end)];
  ok(from >= start.length && to >= from, `${PAGE} has no ${start}`);
  if (isUpdate) Deno.writeTextFileSync(PAGE, `${page.slice(0, from)}\n${text}\n\n${page.slice(to)}`);
  else equal(page.slice(from, to).trim(), text, `Update it: deno test -A tests/house/architecture_test.ts -- --update`);
}

Deno.test("ARCHITECTURE.md lists the files that one sample goes through, counted from calls", async () => {
  const files = await followSample();
  ok(files.length <= MAX_FOLLOWED, `${files.length} files`);
  const rooms = Map.groupBy(files, (path) => roomOf(path) ?? "");
  const lines = [...rooms].map(([room, paths]) =>
    `- \`lib/${room}/\`: ${paths.map((path) => `\`${path.slice(`lib/${room}/`.length)}\``).join(", ")}`
  );
  settle("files of one sample", [`${files.length} files:`, "", ...lines].join("\n"));
});

Deno.test("ARCHITECTURE.md lists the packages that enter through each room", () => {
  const packages = new Map<string, Set<string>>();
  for (const { path, imports } of readSources("lib")) {
    // Suites and papers of a kind are one row.
    const room = roomOf(path)?.replace(/^(benchmarks|papers)\/.*/, "$1/<suite>");
    if (room === undefined) continue;
    for (const { from } of imports) {
      if (from.startsWith("npm:")) packages.set(room, (packages.get(room) ?? new Set()).add(from.slice("npm:".length)));
    }
  }
  const rows = [...packages].toSorted().map(([room, names]) => `- \`lib/${room}/\`: ${[...names].sort().join(", ")}`);
  settle("packages of rooms", rows.join("\n"));
});
