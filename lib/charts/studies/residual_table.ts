import { lengthText, type ProfileResidual } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

interface ProfileRow {
  readonly profile: string;
  readonly scores: number;
  readonly typical: number;
  readonly largest: number;
  readonly where: string;
}

/**
 * Sets what is left between the simulated reader's profiles and the published scores as a table: a profile a row.
 *
 * @param rows What is left between them, from `profileResiduals`.
 * @param options The finding.
 * @returns The table, with the root of the mean square and the largest residual of each profile.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { profileResiduals } from "@/lib/analysis/mod.ts";
 *
 * match(residualTable(profileResiduals(["gpt-4"]), { title: "Near" }).text, /gpt-4 +24 +\d\.\d/);
 * ```
 */
export function residualTable(
  rows: readonly ProfileResidual[],
  options: { readonly title: string },
): Table {
  const profiles = [...Map.groupBy(rows, ({ profile }) => profile)].map(([profile, ofProfile]): ProfileRow => {
    const worst = ofProfile.reduce((one, other) => Math.abs(other.residual) > Math.abs(one.residual) ? other : one);
    return {
      profile,
      scores: ofProfile.length,
      typical: Math.sqrt(ofProfile.reduce((sum, { residual }) => sum + residual ** 2, 0) / ofProfile.length),
      largest: worst.residual,
      where: `${worst.category} at ${lengthText(worst.length)}: ${worst.expected.toFixed(1)} for ${
        worst.published.toFixed(1)
      }`,
    };
  });
  return table(profiles, {
    ...options,
    caption:
      "Expected less published scores, in points. Typical: the root of the mean square over categories and lengths.",
    n: `${rows.length} published scores`,
    origin: { "published scores": "published", "expected scores": "simulated" },
    columns: [
      { field: "profile", label: "Profile" },
      { field: "scores", label: "Scores", digits: 0 },
      { field: "typical", label: "Typical (points)", digits: 1 },
      { field: "largest", label: "Largest (points)", digits: 1 },
      { field: "where", label: "Where" },
    ],
  });
}
