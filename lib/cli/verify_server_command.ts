import type { Command } from "commander";
import { untilInterrupted } from "./files.ts";
import { wholeNumber } from "./flag_values.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readMaterials } from "./flags.ts";
import type { Output } from "./output.ts";
import { openVerifier, serveVerifier, VERIFY_LIMITS } from "@/lib/exchange/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("verify-server")
    .description(
      "Scores replies by HTTP, so that other harnesses and reinforcement learning use Fathom's scorers. (`fathom verify` checks the " +
        "files of a run.) No model is asked.\n" +
        '  POST /verify   {"sample": id, "reply": text}, or a list of them; also with "references" and "scorer" instead of an id, and ' +
        "as NeMo Gym and verifiers send replies\n" +
        "  GET /health    whether it runs\n" +
        "The answer has `score` in [0, 1] or null, `reward`, `answer` and `why`. A sample is made again from its id; a model's own " +
        `tokenizer and your own texts are named by flags. Bodies are JSON of at most ${
          VERIFY_LIMITS.bytes / 2 ** 20
        } MiB and ` +
        `${VERIFY_LIMITS.items} items; pages of other sites are refused. Ctrl-C ends it. docs/rewards.md has recipes.`,
    )
    .option("--host <address>", "the address to listen on; others than 127.0.0.1 are open to the network", "127.0.0.1")
    .option("--port <n>", "the port; 0 takes any that is free", wholeNumber(0, 65_535), 8124);
  addMaterialFlags(addBenchmarkFlag(command), { inIds: false });
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom verify-server\n" +
      "  fathom verify-server --port 9000 --tokenizer ~/models/qwen/tokenizer.json\n" +
      "\n" +
      "  curl -H content-type:application/json http://127.0.0.1:8124/verify -d \\\n" +
      '    \'{"sample": "ruler-2/vt/variant=2026,chains=1,hops=4/cl100k_base/base/4096/42/0", "reply": "JXVSF"}\'',
  );
  command.action(async (flags: Flags & { readonly host: string; readonly port: number }) => {
    const verifier = await openVerifier({ ...readMaterials(flags), benchmarks: await openBenchmarks(flags) });
    await untilInterrupted(await serveVerifier(verifier, flags), output);
  });
}
