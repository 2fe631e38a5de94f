import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { type Entry, type Gate, openGate } from "@/lib/models/gate.ts";

/** A gate whose waits end when the test says. */
function slowGate(): { readonly gate: Gate; readonly waits: number[]; readonly endWait: () => Promise<void> } {
  const waits: number[] = [];
  let end = (): void => {};
  const delay = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    waits.push(milliseconds);
    return new Promise((resolve, reject) => {
      end = resolve;
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  };
  const endWait = async (): Promise<void> => {
    end();
    await new Promise((go) => setTimeout(go));
  };
  return { gate: openGate({ delay, random: () => 0 }), waits, endWait };
}

/** How many of so many questions a gate lets through at once. */
async function letThrough(gate: Gate, count: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let asked = 0; asked < count; asked++) void gate.enter(0).then((entry) => entries.push(entry), () => {});
  await new Promise((go) => setTimeout(go));
  return entries;
}

Deno.test("a gate lets all through until the server is busy, then none, then half as many", async () => {
  const { gate, waits, endWait } = slowGate();
  const first = await letThrough(gate, 16);
  equal(first.length, 16);
  for (const entry of first.slice(0, 3)) {
    gate.leave();
    gate.close(entry, 7000);
  }
  ok(waits.every((wait) => wait === 7000));
  const next = await letThrough(gate, 16);
  equal(next.length, 0);
  for (let left = 0; left < 13; left++) gate.leave();
  await endWait();
  equal(next.length, 8, "questions that were under way together count as one");
});

Deno.test("a gate lets more through again while the server answers, up to all", async () => {
  const { gate, endWait } = slowGate();
  const [entry, ...others] = await letThrough(gate, 8);
  gate.leave();
  gate.close(entry!, 10);
  await endWait();
  for (const _ of others) gate.leave();
  for (let answers = 0; answers < 4; answers++) gate.noteAnswer(1);
  const five = await letThrough(gate, 20);
  equal(five.length, 5);
  for (let answers = 0; answers < 5 + 6 + 7; answers++) gate.noteAnswer(1);
  await letThrough(gate, 0);
  equal(five.length, 20, "as many as ever were under way, so all");
});

Deno.test("a gate waits as long as the server asks, or twice as long each time", () => {
  const { gate } = slowGate();
  const waits: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    waits.push(gate.waitFor(undefined));
    gate.close({ limit: 1, turn }, 0);
  }
  deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  equal(gate.waitFor(2500), 2500);
  gate.noteAnswer(1);
  equal(gate.waitFor(undefined), 500);
});

Deno.test("a gate climbs as long as the server does more in the same time, and stays where it did most", async () => {
  let time = 0;
  const most = 16;
  const gate = openGate({ delay: () => Promise.resolve(), random: () => 0, now: () => time });
  gate.climb();
  const seen = new Set<number>();
  for (let answers = 0; answers < 400; answers++) {
    const { limit } = await gate.enter(0);
    seen.add(limit);
    // With more than 16 at a time the server is no faster.
    time += 1000 / Math.min(limit, most);
    gate.noteAnswer(100);
    gate.leave();
  }
  deepEqual([...seen], [4, 8, 16, 32]);
  equal((await gate.enter(0)).limit, 16);
});

Deno.test("a gate that climbs and meets a busy server goes on at half, and no higher than it was", async () => {
  const { gate, endWait } = slowGate();
  gate.climb();
  const entries = await letThrough(gate, 20);
  equal(entries.length, 4);
  gate.close(entries[0]!, 10);
  for (let left = 0; left < 4; left++) gate.leave();
  await endWait();
  equal(entries.length, 4 + 2);
  for (let answers = 0; answers < 100; answers++) gate.noteAnswer(1);
  await letThrough(gate, 0);
  equal(entries.length, 4 + 4);
});

Deno.test("a gate ends all waits at once, and opens for whoever comes later", async () => {
  const { gate } = slowGate();
  const [entry] = await letThrough(gate, 1);
  gate.leave();
  gate.close(entry!, 60_000);
  const waiting = gate.enter(0);
  const apart = gate.wait(60_000);
  gate.endWaits();
  await rejects(waiting, { name: "AbortError" });
  await rejects(apart, { name: "AbortError" });
  equal((await letThrough(gate, 1)).length, 1);
});

Deno.test("a gate keeps what was too much together for good", async () => {
  const { gate } = slowGate();
  const entries = await letThrough(gate, 8);
  gate.leave();
  ok(gate.narrow(entries[0]!));
  for (let answers = 0; answers < 100; answers++) gate.noteAnswer(1);
  equal(gate.mostTogether(), 4);
  gate.leave();
  ok(gate.narrow(entries[1]!), "it was under way with the first");
  equal(gate.mostTogether(), 4);
});

Deno.test.each([
  ["requests", { requestsPerMinute: 60 }, [0, 0, 0], [1000, 2000]],
  ["tokens", { tokensPerMinute: 6000 }, [100, 400, 10], [1000, 5000]],
  ["whichever is slower", { requestsPerMinute: 60, tokensPerMinute: 6000 }, [10, 400, 10], [1000, 5000]],
])("a gate begins no more than a minute may have: %s", async (_name, caps, costs, wanted) => {
  const waits: number[] = [];
  const gate = openGate({ ...caps, delay: (wait) => (waits.push(wait), Promise.resolve()), random: () => 0 });
  await Promise.all(costs.map((tokens) => gate.enter(tokens)));
  deepEqual(waits.map((wait) => Math.round(wait / 100) * 100), wanted);
});
