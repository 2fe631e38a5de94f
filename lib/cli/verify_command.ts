import type { Command } from "commander";
import { existsSync } from "node:fs";
import { plural } from "@/lib/base/mod.ts";
import { CommandFailure, type Output } from "./output.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./flags.ts";
import { repairRun, type RunCheck, type RunRepair, type ScoringOptions, verifyRun } from "@/lib/records/mod.ts";
import { type CertificateCheck, certificateFolder, verifyCertificate } from "@/lib/certify/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("verify")
    .description(
      "Checks that a run was not changed or damaged: the types of all fields, the hash of the records, that each record belongs to " +
        "the run; for a run in shards also that each sample of its plan has one record. Of a certificate, checks its design, all of " +
        "its runs, and that they were asked for that design at its servers, and prints the verdict that follows from them. Prints " +
        "what is wrong and exits with 1 if anything is. No call is made. The hash detects accidents, not a deliberate forgery.",
    )
    .argument("<runs...>", "names or folders of runs or certificates")
    .option(
      "--repair",
      "make runs readable again: broken lines move to another file, and the manifest lists the faults",
    )
    .option("--json", "print one JSON object per run: run, records, answered, faults, notes")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom verify first\n  fathom verify ./from-a-colleague/run\n  fathom verify first --repair\n" +
        "  fathom verify results/certificates/q8-against-f16",
    )
    .action(async (names: readonly string[], flags: Flags) => {
      const wrong: string[] = [];
      const options = { benchmarks: await openBenchmarks(flags) };
      for (const name of names) {
        const { before, kept } = await checkNamed(name, flags.repair === true, options);
        const json = { ...before, ...(kept.length === 0 ? {} : { kept }) };
        await output.write(flags.json ? `${JSON.stringify(json)}\n` : textOf(before, kept));
        if (before.faults.length > 0 && !flags.repair) wrong.push(name);
      }
      if (wrong.length === 0) return;
      const advice = `; --repair makes ${wrong.length === 1 ? "it" : "them"} readable`;
      const isRun = wrong.every((name) => findCertificate(name) === undefined);
      throw new CommandFailure(`${wrong.join(", ")}: not what was recorded${isRun ? advice : ""}`, 1);
    });
  addBenchmarkFlag(command);
}

/** The result of a check of a run, or of a certificate with the verdict that follows from its records. */
type Checked = Omit<RunCheck, "answered"> & Partial<Pick<RunCheck, "answered">> & Partial<CertificateCheck>;

function textOf(
  { run, records, answered, faults, notes, headline, checked = [], unchecked = [] }: Checked,
  kept: readonly string[],
): string {
  const counts = `${records} ${plural(records, "record")}`;
  const replies = answered === undefined ? "" : `, ${answered} answered ${plural(answered, "sample")}`;
  const found = faults.length === 0 ? "nothing is wrong" : `${faults.length} ${plural(faults.length, "fault")}`;
  const lines = [
    `${run}: ${counts}${replies}; ${found}`,
    ...faults.map((fault) => `  wrong: ${fault}`),
    ...notes.map((note) => `  note: ${note}`),
    ...checked.map((each) => `  checked: ${each}`),
    ...unchecked.map((each) => `  cannot be checked: ${each}`),
    ...(headline === undefined ? [] : [`  verdict: ${headline}`]),
    ...kept.map((path) => `  kept: ${path}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the folder of a certificate; `undefined` if there is none, as for a run. */
function findCertificate(name: string): string | undefined {
  const path = certificateFolder(name);
  return existsSync(`${path}/certificate.json`) ? path : undefined;
}

async function checkNamed(
  name: string,
  repairs: boolean,
  options: ScoringOptions,
): Promise<Pick<RunRepair, "kept"> & { readonly before: Checked }> {
  const path = findCertificate(name);
  if (path === undefined) {
    return repairs ? await repairRun(name, options) : { before: await verifyRun(name, options), kept: [] };
  }
  if (!repairs) return { before: await verifyCertificate(path, options), kept: [] };
  throw new RangeError(
    `Cannot repair the certificate as each of its runs must be repaired by its path, such as "${path}/change": current value is "${path}"`,
  );
}
