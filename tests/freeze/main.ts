import { PARTS } from "./facts.ts";

// Writes tests/freeze/frozen.txt. Before a reorganisation and after each of its steps: deno task freeze, then git diff.

const FILE = new URL("frozen.txt", import.meta.url);

const parts: string[] = [];
for (const { name, lines } of PARTS) parts.push(`# ${name}`, ...await lines(), "");
await Deno.writeTextFile(FILE, parts.join("\n"));
console.log(`Wrote ${parts.length} lines to tests/freeze/frozen.txt; git diff shows what changed.`);
