import type { RecordedRun, ScoredReply } from "@/lib/runs/mod.ts";

/** A run that was read back or has just ended, with its scores. */
export type ScoredRun = Pick<RecordedRun, "manifest"> & { readonly replies: readonly ScoredReply[] };
