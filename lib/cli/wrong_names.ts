import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { editDistance } from "@/lib/scorers/mod.ts";

/** Errors that refuse a value, in Fathom's words and in commander's. */
const REFUSALS: readonly RegExp[] = [
  /^(?<wanted>.*\bCannot .*? must .*): current value is "(?<value>[^"]+)"(?<why> \([^()]*\))?$/s,
  /^option '(?<flag>--[\w-]+).*?' argument '(?<value>.+)' is invalid\. (?:Allowed choices are|It must be one of) (?<names>.+?)\.$/s,
];

/** Names that an error lists: after `one of` or `such as`, and in parentheses. */
const LIST =
  /(?<=\b(?:one of|such as) (?!an? |the ))\w[\w./:+-]*(?:, [\w./:+-]+)*(?=$|[ ,)])|(?<=\()\w[\w./:+-]*(?:, [\w./:+-]+)*(?=\)| and \d+ more)/g;

/** More names are cut if a command lists them all. */
const MAX_LISTED = 12;

/** The commands that list all names of which an error has some. */
const LISTERS: readonly (readonly [error: RegExp, command: string])[] = [
  [/recorded run/, "fathom report"],
  [/make the tasks?/, "fathom tasks"],
  [/make task|name knobs/, "fathom tasks TASK"],
  [/pick a reply/, "fathom report RUN"],
  [/corpora/, "fathom data list"],
  [/chat template/, "fathom generate --help"],
];

/**
 * Returns the message of an error with the wrong value first, then the name that was probably meant, and the valid names last: `"vtt"
 * is unknown; did you mean vt? Cannot make the task as its name must be one of vt, cwe, fwe`. Other messages are unchanged.
 */
export function valueFirst(message: string): string {
  const found = REFUSALS.map((form) => form.exec(message)?.groups).find((groups) => groups !== undefined) ?? {};
  const { value, flag, wanted = `${flag} must be one of ${found["names"]}`, why = "" } = found;
  if (value === undefined) return message;
  const names = [...wanted.slice(wanted.indexOf(" must ")).matchAll(LIST)].flatMap(([list]) => list.split(", "));
  if (names.length === 0) {
    const near = why.includes("nothing of that name") ? nearestFile(value) : undefined;
    return near === undefined ? message : `There is no "${value}"; did you mean ${near}? ${wanted}`;
  }
  // An error lists simulated readers without their `sim:`.
  const [, prefix = "", given] = /^(sim:)?(.+)$/s.exec(value)!;
  const near = nearestName(given!, names);
  const question = near === undefined ? "." : `; did you mean ${prefix}${near}?`;
  return `"${value}" is unknown${question} ${cutLists(wanted)}`;
}

/** Returns the name that was probably meant; `undefined` if none is similar. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const text = given.toLowerCase();
  // Two neighbours that changed places are one mistake and not two.
  const swapped = [...text].slice(1).map((letter, at) => text.slice(0, at) + letter + text[at] + text.slice(at + 2));
  const mistakes = (name: string): number =>
    Math.min(editDistance(name, text), ...swapped.map((each) => 1 + editDistance(name, each)));
  const [nearest] = names.filter((name) => name.length > 1)
    .map((name) => ({ name, count: mistakes(name.toLowerCase()) }))
    .toSorted((left, right) => left.count - right.count);
  // A third of the letters may differ, and one of a short name.
  return nearest !== undefined && nearest.count <= Math.max(1, Math.floor(given.length / 3)) ? nearest.name : undefined;
}

const STUDIES = fileURLToPath(new URL("../../data/studies", import.meta.url));

/** Returns the path of a file with a similar name in the same folder, or of a study that comes with Fathom. */
function nearestFile(path: string): string | undefined {
  const name = basename(path);
  for (const [folder, wanted] of [[dirname(path), name], [STUDIES, name.replace(/(\.ya?ml)?$/, ".yaml")]] as const) {
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const near = nearestName(wanted, files);
    if (near !== undefined) return relative("", join(folder, near));
  }
  return undefined;
}

function cutLists(wanted: string): string {
  const command = LISTERS.find(([error]) => error.test(wanted))?.[1];
  if (command === undefined) return wanted;
  return wanted.replaceAll(LIST, (list) => {
    const names = list.split(", ");
    const more = names.length - MAX_LISTED;
    return more <= 0 ? list : `${names.slice(0, MAX_LISTED).join(", ")} and ${more} more: ${command} lists all`;
  }).replace(/( and \d+ more)(?=\)?$)/, `$1: ${command} lists all`);
}
