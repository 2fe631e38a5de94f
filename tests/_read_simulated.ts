import { BENCHMARKS, listReaders } from "@/lib/benchmarks/mod.ts";
import { type Profile, readAs, type SimulatedReply } from "@/lib/simulated/mod.ts";

/** Answers a prompt of any benchmark with the losses of a simulated profile, and returns its mistakes. */
export function readSimulated(prompt: string, profile: Profile, benchmarks = BENCHMARKS): SimulatedReply {
  return readAs(prompt, { profile, readers: listReaders(benchmarks) });
}
