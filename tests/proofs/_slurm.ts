import { findProgram } from "../e2e/_project.ts";

/** A cluster of one node, this machine. */
export interface Cluster extends AsyncDisposable {
  /** What Slurm's commands find it by. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs one of Slurm's commands; gives what it prints. */
  command(name: string, ...words: readonly string[]): Promise<string>;
  /** Whether a job is over. */
  hasEnded(job: string): Promise<boolean>;
}

/** Whether Debian's slurm-wlm and munge are installed. */
export function isSlurmHere(): boolean {
  return ["munged", "slurmctld", "slurmd", "sbatch"].every((name) => findProgram(name, ["/usr/sbin"]) !== undefined);
}

/** Starts Slurm's daemons on this machine, with all their files in a folder of their own. */
export async function startSlurm(): Promise<Cluster> {
  const folder = await Deno.makeTempDir({ prefix: "slurm-" });
  await Deno.chmod(folder, 0o755);
  const host = Deno.hostname().split(".")[0]!;
  const env = { SLURM_CONF: `${folder}/slurm.conf`, PATH: `${Deno.env.get("PATH") ?? ""}:/usr/sbin` };
  await Deno.writeFile(`${folder}/munge.key`, crypto.getRandomValues(new Uint8Array(1024)), { mode: 0o600 });
  for (const name of ["state", "spool"]) await Deno.mkdir(`${folder}/${name}`);
  await Deno.writeTextFile(env.SLURM_CONF, await configuration(folder, host));
  const daemons: Deno.ChildProcess[] = [];
  const start = (name: string, ...args: readonly string[]): void => {
    daemons.push(new Deno.Command(name, { args: [...args], env, stdout: "null", stderr: "null" }).spawn());
  };
  const command = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { success, stdout, stderr } = await new Deno.Command(name, { args: [...args], env }).output();
    if (!success) throw new Error(`${name}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout).trim();
  };
  const end = async (): Promise<void> => {
    // The node's daemon first, as the others serve it.
    for (const daemon of daemons.toReversed()) {
      daemon.kill("SIGTERM");
      await daemon.status;
    }
    await Deno.remove(folder, { recursive: true });
  };
  try {
    const files = ["key-file", "socket", "pid-file", "log-file", "seed-file"].map((what) =>
      `--${what}=${folder}/munge.${what.split("-")[0]}`
    );
    start("munged", "--foreground", "--force", ...files);
    await untilDone(() => Deno.stat(`${folder}/munge.socket`).then(() => true));
    start("slurmctld", "-D", "-c");
    start("slurmd", "-D");
    await untilDone(async () => await command("sinfo", "--noheader", "--format=%t") === "idle");
  } catch (error) {
    await end();
    throw error;
  }
  return {
    env,
    command,
    hasEnded: async (job) => await command("squeue", "--noheader", `--jobs=${job}`).catch(() => "") === "",
    [Symbol.asyncDispose]: end,
  };
}

async function configuration(folder: string, host: string): Promise<string> {
  const user = new TextDecoder().decode((await new Deno.Command("id", { args: ["-un"] }).output()).stdout).trim();
  const [control, node] = freePorts();
  return [
    ...["ClusterName=test", `SlurmctldHost=${host}(127.0.0.1)`, `SlurmctldPort=${control}`, `SlurmdPort=${node}`],
    ...[`SlurmUser=${user}`, `SlurmdUser=${user}`, "AuthType=auth/munge", `AuthInfo=socket=${folder}/munge.socket`],
    ...[`StateSaveLocation=${folder}/state`, `SlurmdSpoolDir=${folder}/spool`],
    ...[`SlurmctldPidFile=${folder}/slurmctld.pid`, `SlurmdPidFile=${folder}/slurmd.pid`],
    ...[`SlurmctldLogFile=${folder}/slurmctld.log`, `SlurmdLogFile=${folder}/slurmd.log`],
    ...["ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none"],
    ...["SwitchType=switch/none", "MpiDefault=none", "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core"],
    ...["SchedulerParameters=sched_interval=1,batch_sched_delay=0", "ReturnToService=2"],
    // More tasks at a time than this machine can have cores.
    ...["SlurmdParameters=config_overrides", `NodeName=${host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN`],
    `PartitionName=test Nodes=${host} Default=YES MaxTime=INFINITE State=UP`,
    "",
  ].join("\n");
}

function freePorts(): readonly [number, number] {
  const listeners = [0, 1].map(() => Deno.listen({ port: 0, hostname: "127.0.0.1" }));
  const [one, other] = listeners.map(({ addr }) => addr.port);
  for (const listener of listeners) listener.close();
  return [one!, other!];
}

/** Tries for half a minute. */
async function untilDone(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (await isDone().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("Slurm's daemons did not come up in half a minute");
}
