import { deepEqual, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { findLong } from "./_rules.ts";
import { listFiles, readSources } from "./_source.ts";

// The sizes of rooms and tests in all languages, against limits.json.

interface Limits {
  readonly rooms: Readonly<Record<string, number>>;
  /** Rooms that are still to be rewritten. */
  readonly "without a limit yet": readonly string[];
  /** The most lines of a file of lib. */
  readonly "lines of a file": number;
  /** All files of tests together. */
  readonly tests: number;
}

const LANGUAGES = /\.(?:ts|js|css|py|j2)$/;

/** The limits that the project's owner holds, where they are known. */
const OWNERS = new URL("../../../shared/limits.json", import.meta.url);

const limits = readLimits(new URL("limits.json", import.meta.url));

function readLimits(file: URL): Limits {
  return JSON.parse(Deno.readTextFileSync(file));
}

/** The number of line breaks in the files of a folder. */
function countLines(folder: string): number {
  const texts = listFiles(folder).filter((path) => LANGUAGES.test(path)).map((path) => Deno.readTextFileSync(path));
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

for (const [room, most] of Object.entries({ ...limits.rooms, tests: limits.tests })) {
  Deno.test(`${room} has at most ${most.toLocaleString("en")} lines`, () => {
    const lines = countLines(room);
    if (Deno.args.includes("--show")) console.log(`${room} has ${lines} of ${most} lines`);
    ok(lines <= most, `${room} has ${lines} lines: redesign it, or take something out; its limit stays`);
  });
}

Deno.test("a file of lib is a chapter", () => deepEqual(findLong(readSources("lib"), limits["lines of a file"]), []));

Deno.test("every room has a limit, or is named as one that has none yet", () => {
  const rooms = [...Deno.readDirSync("lib")].filter(({ isDirectory }) => isDirectory).map(({ name }) => `lib/${name}`);
  deepEqual([...Object.keys(limits.rooms), ...limits["without a limit yet"]].sort(), rooms.sort());
});

Deno.test({
  name: `no limit is above the owner's${existsSync(OWNERS) ? "" : " (skipped: ../shared/limits.json is not there)"}`,
  ignore: !existsSync(OWNERS),
  fn(): void {
    const owners = readLimits(OWNERS);
    const raised = Object.entries(limits.rooms).filter(([room, most]) => most > (owners.rooms[room] ?? 0));
    deepEqual(raised, []);
    ok(limits.tests <= owners.tests, `tests: ${limits.tests} is above ${owners.tests}`);
  },
});
