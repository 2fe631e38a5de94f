import { describeProfile, PUBLISHED_PROFILES, type Residual } from "@/lib/models/mod.ts";

/** How far one expected score of a profile is from the published one. */
export interface ProfileResidual extends Residual {
  /** The profile's name, without `sim:`. */
  readonly profile: string;
  /** The expected score less the published one, in points. */
  readonly residual: number;
}

/**
 * Lists how far the simulated reader's profiles are from the published scores they were fitted to (RULER, Tables 13 to 16).
 *
 * @param profiles Which profiles; all that are fitted unless given.
 * @returns A row for each profile, category and length.
 * @throws {RangeError} If there is no such profile.
 *
 * @example
 * ```ts
 * import { equal, ok } from "node:assert/strict";
 *
 * const rows = profileResiduals(["gpt-4"]);
 * equal(rows.length, 24);
 * ok(rows.every(({ residual }) => Math.abs(residual) < 3));
 * ```
 */
export function profileResiduals(
  profiles: readonly string[] = PUBLISHED_PROFILES.map(({ name }) => name),
): readonly ProfileResidual[] {
  return profiles.flatMap((name) =>
    describeProfile(name).residuals.map((residual) => ({
      ...residual,
      profile: name.replace(/^sim:/, ""),
      residual: residual.expected - residual.published,
    }))
  );
}
