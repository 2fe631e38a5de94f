import type { FailureMode } from "./failure_rows.ts";
import type { Failure } from "@/lib/models/mod.ts";

/** Tells what befell a call that gave no reply. */
export function explainFailedCall({ failure, message }: Pick<Failure, "failure" | "message">): FailureMode {
  return { class: "failed call", why: `${failure}: ${message}`, evidence: [] };
}
