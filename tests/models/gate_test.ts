import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { virtualClock } from "./_virtual_clock.ts";
import { type EnterOptions, type Entry, type Gate, type GateOptions, openGate } from "@/lib/models/gate.ts";

interface TestGate {
  readonly gate: Gate;
  /** Begins so many requests; the list grows as the gate lets them in. */
  begin(count: number, options?: Partial<EnterOptions>): Entry[];
  /** Lets a time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
}

function testGate(options: Partial<GateOptions> = {}): TestGate {
  const { now, delay, run } = virtualClock();
  const gate = openGate({ delay, now, random: () => 0, ...options });
  const begin = (count: number, given: Partial<EnterOptions> = {}): Entry[] => {
    const entries: Entry[] = [];
    for (let asked = 0; asked < count; asked++) {
      void gate.enter({ tokens: 0, ...given }).then((entry) => entries.push(entry), () => {});
    }
    return entries;
  };
  return { gate, begin, pass: (ms) => run(delay(ms)) };
}

Deno.test("a gate lets all through at once until the server refuses one", async () => {
  const { gate, begin, pass } = testGate();
  const entries = begin(32);
  await pass(0);
  equal(entries.length, 32);
  for (const entry of entries) gate.answer(entry);
  equal(gate.mostTogether(), undefined);
});

Deno.test("a gate lets none through before the time that a busy server names, and the refused one first", async () => {
  const { gate, begin, pass } = testGate();
  const entries = begin(16);
  await pass(0);
  equal(gate.refuse(entries[0]!, 7000), 7000);
  const [others, again] = [begin(4), begin(1, { isAgain: true, waitMs: 7000 })];
  await pass(6999);
  deepEqual([others.length, again.length], [0, 0]);
  await pass(1);
  deepEqual([others.length, again.length], [0, 1]);
  await pass(1000);
  equal(others.length, 4);
});

Deno.test("a gate spreads waits that a server asks for, by a tenth or a second at most", () => {
  const waits = [10, 2000, 60_000].map((ms) => {
    const { gate, begin } = testGate({ random: () => 0.5 });
    const entries = begin(1);
    return gate.enter({ tokens: 0 }).then((entry) => (ok(entries), gate.refuse(entry, ms)));
  });
  return Promise.all(waits).then((all) => deepEqual(all, [11, 2100, 60_500]));
});

Deno.test("a gate waits longer for each refusal in a row, and not at all once one has passed", async () => {
  const { gate, begin, pass } = testGate();
  const waits: number[] = [];
  for (let times = 0; times < 30; times++) {
    const entries = begin(1);
    await pass(times === 0 ? 0 : waits.at(-1)!);
    equal(entries.length, 1, "the wait is the one that was named");
    waits.push(gate.refuse(entries[0]!));
  }
  ok(waits.every((wait, at) => at === 0 || wait >= waits[at - 1]!), `${waits}`);
  ok(waits[0]! <= 10, `${waits}`);
  equal(waits.at(-1), 8000);
  const entries = begin(3);
  await pass(8000);
  equal(entries.length, 1);
  await pass(100);
  equal(entries.length, 3, "the first was not refused in the time that a refusal takes");
});

Deno.test("a gate sends the next as one ends where the server takes so many at a time", async () => {
  const { gate, begin, pass } = testGate();
  const entries = begin(12);
  await pass(0);
  // The server takes four, and refuses all else until one of them ends.
  for (const entry of entries.slice(4)) gate.refuse(entry);
  const probes: Entry[][] = [];
  let refused = 0;
  for (let turns = 0; turns < 100; turns++) {
    if (probes.length === refused) probes.push(begin(1));
    await pass(100);
    if (probes.at(-1)!.length === 1) refused++, gate.refuse(probes.at(-1)![0]!);
  }
  ok(refused < 30, `${refused} were refused in 10 seconds`);
  const next = begin(8, { isAgain: true });
  for (const entry of entries.slice(0, 2)) gate.answer(entry);
  await pass(0);
  equal(next.length, 2);
});

Deno.test("a gate ends all waits at once, and opens for requests that come later", async () => {
  const { gate, begin, pass } = testGate();
  const [entry] = [begin(1)];
  await pass(0);
  gate.refuse(entry[0]!, 60_000);
  const waiting = rejects(gate.enter({ tokens: 0 }), { name: "AbortError" });
  const apart = rejects(gate.wait(60_000), { name: "AbortError" });
  gate.endWaits();
  await Promise.all([waiting, apart]);
  const later = begin(1);
  await pass(100);
  equal(later.length, 1);
});

Deno.test("a gate whose requests were too many together lets half as many through, and more again later", async () => {
  const { gate, begin, pass } = testGate();
  const entries = begin(8);
  await pass(0);
  ok(gate.crowd(entries[0]!));
  ok(gate.crowd(entries[1]!), "it was in flight with the first");
  equal(gate.mostTogether(), 4);
  for (const entry of entries.slice(2)) gate.answer(entry);
  const limits: (number | undefined)[] = [];
  const more = begin(200);
  for (let turns = 0; turns < 60; turns++) {
    await pass(1);
    const most = gate.mostTogether();
    if (limits.at(-1) !== most || limits.length === 0) limits.push(most);
    if (most !== undefined) ok(more.length <= most, `${more.length} at a time`);
    for (const entry of more.splice(0)) gate.answer(entry);
  }
  deepEqual(limits, [4, 5, 6, 7, undefined]);
});

Deno.test("a gate sends a request alone that was among too many, and lifts the limit where it fails alone", async () => {
  const { gate, begin, pass } = testGate();
  const entries = begin(32);
  await pass(0);
  ok(gate.crowd(entries[31]!));
  equal(gate.mostTogether(), 16);
  const [alone, others] = [begin(1, { isAgain: true, wantsAlone: true }), begin(40)];
  for (const entry of entries.slice(0, 30)) gate.answer(entry);
  await pass(1);
  deepEqual([alone.length, others.length], [0, 0], "one is in flight");
  gate.answer(entries[30]!);
  await pass(1);
  deepEqual([alone.length, others.length], [1, 0], "nothing else is sent with it");
  equal(gate.crowd(alone[0]!), false, "the failure is its own");
  await pass(1);
  deepEqual([gate.mostTogether(), others.length], [undefined, 40]);
});

Deno.test.each([
  ["requests", { requestsPerMinute: 60 }, [0, 0, 0], [0, 1000, 2000]],
  ["tokens", { tokensPerMinute: 6000 }, [100, 400, 10], [0, 1000, 5000]],
  ["whichever is slower", { requestsPerMinute: 60, tokensPerMinute: 6000 }, [10, 400, 10], [0, 1000, 5000]],
])("a gate begins no more than a minute may have: %s", async (_name, caps, costs, wanted) => {
  const { gate, pass } = testGate(caps);
  const entered = costs.map((tokens) => gate.enter({ tokens }));
  await pass(10_000);
  deepEqual((await Promise.all(entered)).map(({ beganAt }) => beganAt), wanted);
});

Deno.test("a gate never waits for a time gone by, though time passes while it reckons", async () => {
  const waits: number[] = [];
  let time = 0;
  const delay = (ms: number): Promise<void> => (waits.push(ms), Promise.resolve());
  const gate = openGate({ delay, random: () => 0, now: () => time += 5 });
  for (let times = 0; times < 40; times++) {
    gate.refuse(await gate.enter({ tokens: 0 }), times % 2 === 0 ? undefined : 1);
  }
  ok(waits.length > 0 && waits.every((ms) => ms >= 0), `${waits}`);
});

Deno.test("a gate numbers requests from 1", async () => {
  const { begin, pass } = testGate();
  const entries = begin(3);
  await pass(0);
  deepEqual(entries.map(({ number, others }) => [number, others]), [[1, 0], [2, 1], [3, 2]]);
});
