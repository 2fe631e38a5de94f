import { writeBenchmark } from "./scaffold.ts";

const HELP = `Write a benchmark to start from: deno task new-benchmark NAME

NAME is words in lower case joined by _, such as lost_keys. It gets a folder in lib/benchmarks/ with
a family of tasks, a line in the registry, a study and tests: the worked example of CONTRIBUTING.md
under that name. Existing files are never changed, but for the registry.`;

const [name = "--help", ...others] = Deno.args.filter((argument) => argument !== "--");
if (others.length > 0 || name === "--help" || name === "-h") {
  console.log(HELP);
  if (others.length > 0) Deno.exit(2);
} else {
  try {
    const paths = await writeBenchmark(name);
    console.log(`Wrote ${paths.join("\n      ")}`);
    console.log(
      `Next: deno test -A tests/benchmarks/${name}; CONTRIBUTING.md, "A new suite" names what follows.`,
    );
  } catch (error) {
    console.error(`new-benchmark: ${error instanceof Error ? error.message : error}`);
    Deno.exit(2);
  }
}
