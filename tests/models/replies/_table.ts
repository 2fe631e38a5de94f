/** Reads a table of replies of real servers and models, one JSON object a line. */
export function readTable<Row>(name: string): readonly [label: string, row: Row][] {
  const lines = Deno.readTextFileSync(new URL(`${name}.jsonl`, import.meta.url)).trimEnd().split("\n");
  return lines.map((line) => {
    const row = JSON.parse(line);
    return [String(Object.values(row)[0]), row];
  });
}
