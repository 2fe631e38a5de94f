import { deepEqual, equal, ok } from "node:assert/strict";
import { findReady, freePort, makeProject, testWith } from "../e2e/_project.ts";

const tools = { jupyter: await findReady("lab") };
const LAB = new URL("../../lib/jupyter/lab.ts", import.meta.url).href;

/** The ends of a lab: a signal to the program that opened it, or to JupyterLab, as a terminal that closes sends it. */
const ENDS: readonly (readonly [Deno.Signal, "program" | "server"])[] = [
  ["SIGTERM", "program"],
  ["SIGKILL", "program"],
  ["SIGHUP", "server"],
  ["SIGINT", "server"],
];

for (const [signal, whom] of ENDS) {
  testWith(tools, `no kernel is left when the lab ends by ${signal} to its ${whom}`, async ({ jupyter }) => {
    const project = await makeProject(jupyter, { "01-tiny": "tiny" });
    const options = { folder: project.folder, jupyter: project.jupyter };
    const args = ["--no-browser", `--port=${freePort()}`, "--ip=127.0.0.1"];
    const code = `import { openLab } from "${LAB}";
const onReady = (address) => console.log(address);
await openLab({ ...${JSON.stringify(options)}, args: ${JSON.stringify(args)}, onReady });`;
    const command = new Deno.Command(Deno.execPath(), { args: ["eval", code], stdout: "piped", stderr: "null" });
    const program = command.spawn();
    try {
      const address = new URL(await firstLine(program.stdout));
      const kernels = new URL(`/api/kernels${address.search}`, address);
      const body = JSON.stringify({ name: "deno" });
      const { id } = await (await fetch(kernels, { method: "POST", body })).json();
      const kernel = await eventually(() => findProcess(id));
      ok(kernel !== undefined);
      const server = findProcess(`-m jupyterlab.*${project.folder}`);
      Deno.kill(whom === "program" ? program.pid : server!, signal);
      deepEqual(await eventually(() => [kernel, server].some(isAlive) ? undefined : "gone"), "gone");
      equal(findProcess(id), undefined);
    } finally {
      try {
        program.kill("SIGTERM");
      } catch { /* It has ended. */ }
      await program.status;
      await project.remove();
    }
  });
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream.pipeThrough(new TextDecoderStream() as never)) return String(chunk).trim();
  return "";
}

/** The number of the first process whose command matches; /proc needs all permissions, these programs do not. */
function findProcess(pattern: string): number | undefined {
  return Number(linesOf("pgrep", "-f", "--", pattern)[0]) || undefined;
}

function isAlive(process: number | undefined): boolean {
  return linesOf("ps", "-o", "stat=", "-p", `${process}`).some((state) => !state.startsWith("Z"));
}

function linesOf(program: string, ...args: readonly string[]): readonly string[] {
  const { stdout } = new Deno.Command(program, { args: [...args], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

async function eventually<Value>(look: () => Value | undefined): Promise<Value | undefined> {
  for (let tries = 0; tries < 200; tries++) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}
