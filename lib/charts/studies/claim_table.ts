import type { CheckedClaim, Origin } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** Options for {@linkcode claimTable}. */
export interface ClaimTableOptions {
  /** What was checked, and on what. */
  readonly title: string;
  /** Where the numbers come from that the claims were checked on. */
  readonly origin: Origin;
}

/**
 * Sets checked claims as a table: source, statement, verdict, and what was observed.
 *
 * @param claims At least one claim, checked.
 * @param options The title and the origin of the numbers.
 * @returns The table; its note counts the verdicts.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const claim = { id: "R1", source: "abstract", statement: "Four models hold 32K.", verdict: "holds", observed: "Four." } as const;
 * match(claimTable([claim], { title: "Checked", origin: "published" }).text, /1 holds/);
 * ```
 */
export function claimTable(claims: readonly CheckedClaim[], options: ClaimTableOptions): Table {
  const count = (verdict: CheckedClaim["verdict"]): number =>
    claims.filter((claim) => claim.verdict === verdict).length;
  return table(claims, {
    ...options,
    caption:
      "Each claim is decided by code from the numbers; where they leave it open, the verdict is that it cannot be told.",
    n: `${claims.length} claims: ${count("holds")} holds, ${count("fails")} fails, ${count("cannot tell")} cannot tell`,
    columns: [
      { field: "id", label: "Claim" },
      { field: "source", label: "Source" },
      { field: "statement", label: "Statement" },
      { field: "verdict", label: "Verdict" },
      { field: "observed", label: "Observed" },
    ],
  });
}
