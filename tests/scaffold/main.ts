import { writeBenchmark } from "./scaffold.ts";

const HELP = `Write a suite to start from: deno task new-benchmark NAME

NAME is words in lower case joined by _, such as lost_keys. Tasks, scorer, wording, study, solver, tests, page and
the line in the registry are a complete suite under that name, whose files are filled in the order in which they
are printed: docs/add-a-suite.md. Existing files are never changed, but for the registry.`;

const [name = "--help", ...others] = Deno.args.filter((argument) => argument !== "--");
if (others.length > 0 || name === "--help" || name === "-h") {
  console.log(HELP);
  if (others.length > 0) Deno.exit(2);
} else {
  try {
    const files = await writeBenchmark(name);
    const width = Math.max(...files.map(({ path }) => path.length));
    console.log(files.map(({ path, what }) => `${path.padEnd(width)}  ${what}`).join("\n"));
    console.log(`\nNext: deno task record, then deno task check-suite ${name}; docs/add-a-suite.md has each step.`);
  } catch (error) {
    console.error(`new-benchmark: ${error instanceof Error ? error.message : error}`);
    Deno.exit(2);
  }
}
