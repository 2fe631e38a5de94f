import { existsSync } from "node:fs";

const FOLDER = "../shared/data";

/** A file or folder of real data beside the project; it is no part of it. */
export function realData(path: string): URL {
  return new URL(`../${FOLDER}/${path}`, import.meta.url);
}

/** Tests on real data; where they are absent the test is skipped, and its name says so. */
export function testOnRealData(
  name: string,
  { reads, ignore = false, fn }: {
    readonly reads: string | readonly string[];
    readonly ignore?: boolean;
    readonly fn: (t: Deno.TestContext) => void | Promise<void>;
  },
): void {
  const absent = [reads].flat().find((path) => !existsSync(realData(path)));
  Deno.test({
    name: absent === undefined ? name : `${name} (skipped: ${FOLDER}/${absent} is not there)`,
    ignore: ignore || absent !== undefined,
    fn,
  });
}

export function readRealText(path: string): string {
  return Deno.readTextFileSync(realData(path));
}

/** The lines of a file of JSON lines. */
export function readRealLines<Line>(path: string): Line[] {
  return readRealText(path).trimEnd().split("\n").map((line) => JSON.parse(line));
}
