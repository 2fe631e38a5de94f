/**
 * How many replies `fathom verify-server` scores in a second of CPU time, one by one and in lists, and how much of the time is the transport: the
 * ratio of its time per reply to that of the same calls without HTTP. `deno task bench:verify` prints them.
 */
import process from "node:process";
import { openVerifier, serveVerifier } from "@/lib/exchange/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";

/** Samples, replies to each, and requests in flight. */
const [SAMPLES, REPLIES, IN_FLIGHT] = [16, 250, 32];

/** A task of each kind of scorer at a short length, and one that is long. */
const CELLS = [["vt", 4096], ["vt", 131_072], ["cdme_en", 4096], ["counting_stars_search_en", 4096]] as const;

interface Asked {
  readonly sample: string;
  readonly reply: string;
}

async function askedOf(task: string, length: number): Promise<readonly Asked[]> {
  const { tasks, materials } = await openStudy(checkStudy({ tasks: [task] }));
  const samples = Array.from({ length: SAMPLES }, (_, index) => {
    const { id, references } = tasks[0]!.sample({ length, seed: "bench", index, materials });
    return { id, references };
  });
  return Array.from({ length: SAMPLES * REPLIES }, (_, at): Asked => {
    const { id, references } = samples[at % SAMPLES]!;
    // Half of them are wrong, so that their failures are explained.
    return { sample: id, reply: at % 2 === 0 ? references.join(", ") : `I found ${references[0]} and ${at}.` };
  });
}

/** The CPU time of work in seconds, so that other programs on the machine do not count; that of the clients here is included. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000_000;
}

const verifier = await openVerifier();
const server = await serveVerifier(verifier);

async function post(body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.url}/verify`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  await response.json();
}

async function postEach(bodies: readonly unknown[]): Promise<void> {
  const waiting = bodies.values();
  await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
    for (const body of waiting) await post(body);
  }));
}

console.log("task                       length  replies/s  in lists of 100  HTTP/direct  first use ms");
for (const [task, length] of CELLS) {
  const asked = await askedOf(task, length);
  const direct = async (): Promise<void> => {
    for (const item of asked) await verifier.verify(item);
  };
  const first = await secondsOf(async () => {
    for (const item of asked.slice(0, SAMPLES)) await verifier.verify(item);
  });
  await direct();
  const [inProcess, single] = [await secondsOf(direct), await secondsOf(() => postEach(asked))];
  const lists = Array.from({ length: asked.length / 100 }, (_, at) => asked.slice(100 * at, 100 * (at + 1)));
  const listed = await secondsOf(() => postEach(lists));
  const columns = [length, asked.length / single, asked.length / listed, single / inProcess, 1000 * first / SAMPLES];
  console.log(task.padEnd(26), ...columns.map((value) => value.toFixed(value < 100 ? 1 : 0).padStart(10)));
}
await server.close();
