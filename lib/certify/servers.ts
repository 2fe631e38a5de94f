import { appendFile, readFile } from "node:fs/promises";
import type { ArmServer, CertificateDesign } from "./design.ts";
import { changeText, watchReplies } from "@/lib/asking/mod.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import type { Model, ModelSettings, Reply } from "@/lib/models/mod.ts";
import type { RecordedScores } from "@/lib/records/mod.ts";

export type ArmServers = Readonly<Record<"base" | "change", ArmServer>>;

type ArmNames = Readonly<Record<"base" | "change", { readonly name: string }>>;

/** The runs of a certificate that were begun; `calibration` and `again` ask the base too. */
export type BegunRuns = Readonly<Partial<Record<"calibration" | "base" | "again" | "change", RecordedScores>>>;

const ARMS = ["base", "change"] as const;

const FACTS = ["address", "software", "model", "weights"] as const;

/** Lists how servers differ from what they were; a fact that one did not give then or does not give now is no difference. */
export function serverDifferences(arms: ArmNames, before: ArmServers, now: ArmServers): readonly string[] {
  return ARMS.flatMap((arm) =>
    FACTS.flatMap((fact) => {
      const [was, is] = [before[arm][fact], now[arm][fact]];
      return was === undefined || is === undefined || was === is ? [] : [changeText(arms[arm].name, fact, was, is)];
    })
  );
}

/** Finds the facts by which the servers of models are recognised; no question is asked. */
export async function findServers(
  { base, change }: Readonly<Record<"base" | "change", { readonly model: Pick<Model, "settings" | "probe"> }>>,
): Promise<ArmServers> {
  const find = async ({ settings, probe }: Pick<Model, "settings" | "probe">): Promise<ArmServer> => {
    const { software, served = [], weights } = (await probe?.([], { asks: false, count: () => 0 }))?.report ?? {};
    return defined({ ...addressOf(settings), software, model: served.length === 1 ? served[0] : undefined, weights });
  };
  return { base: await find(base.model), change: await find(change.model) };
}

function addressOf({ baseUrl }: ModelSettings): ArmServer {
  return typeof baseUrl === "string" ? { address: baseUrl } : {};
}

/** Lists how servers differ from those that were asked before; refuses one that is asked at another address. */
export function serverChanges(
  path: string,
  { arms, earlier: { runs, changes }, before, servers }: {
    readonly arms: ArmNames;
    readonly earlier: { readonly runs: BegunRuns; readonly changes: readonly string[] };
    readonly before: Pick<CertificateDesign, "base" | "change"> | undefined;
    readonly servers: ArmServers;
  },
): readonly string[] {
  const was = {
    base: before?.base.server ?? addressOf(runs.calibration?.manifest.settings ?? {}),
    change: before?.change.server ?? addressOf(runs.change?.manifest.settings ?? {}),
  };
  for (const arm of ARMS) {
    const [{ name }, { address: earlier }, { address }] = [arms[arm], was[arm], servers[arm]];
    if (earlier === undefined || earlier === address) continue;
    throw new RangeError(
      `Cannot resume the certificate in "${path}" as ${name} must be at ${earlier}, as before: current value is ${address}; a command without --name asks the servers that run now`,
    );
  }
  return [...changes, ...serverDifferences(arms, was, servers)];
}

/** Returns such a function for the replies of base and change after those that are recorded. */
export function watchArms(
  { base, change }: Pick<CertificateDesign, "base" | "change">,
  { runs }: { readonly runs: BegunRuns },
): Readonly<Record<"base" | "change", (reply: Reply) => string | undefined>> {
  const replies = (...names: readonly (keyof typeof runs)[]): readonly Reply[] =>
    names.flatMap((name) => runs[name]?.records.map(({ reply }) => reply) ?? []);
  return {
    base: watchReplies(base.name, replies("calibration", "base", "again")),
    change: watchReplies(change.name, replies("change")),
  };
}

const CHANGES_FILE = "server-changes.txt";

/** Adds changes of servers that no reply shows, a line each. */
export async function noteServerChanges(path: string, changes: readonly string[]): Promise<void> {
  await appendFile(`${path}/${CHANGES_FILE}`, changes.map((change) => `${change}\n`).join(""));
}

export async function readServerChanges(path: string): Promise<readonly string[]> {
  const text = await readFile(`${path}/${CHANGES_FILE}`, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => shownText(line, 400));
}
