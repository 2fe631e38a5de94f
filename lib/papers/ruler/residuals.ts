import { type Figure, scatterChart, type Table, table } from "@/lib/figures/mod.ts";
import { describeProfile, PUBLISHED_PROFILES, type Residual } from "@/lib/models/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** The difference of one expected score of a profile from the published one. */
export interface ProfileResidual extends Residual {
  /** The profile's name, without `sim:`. */
  readonly profile: string;
  /** The expected score less the published one, in points. */
  readonly residual: number;
}

/**
 * Lists the differences of the simulated reader's profiles from the published scores that they were fitted to (RULER, Tables 13 to
 * 16), by profile, category and length.
 *
 * @throws {RangeError} If there is no such profile.
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

const ORIGIN = { "published scores": "published", "expected scores": "simulated" } as const;

/**
 * Draws expected by published scores: a point per residual, on the diagonal if the fit is perfect.
 *
 * @throws {RangeError} If there are no rows.
 */
export function residualFigure(rows: readonly ProfileResidual[], options: { readonly title: string }): Figure {
  const points = rows.map((row) => ({ ...row, length: lengthText(row.length) }));
  return scatterChart(points, {
    ...options,
    x: "published",
    y: "expected",
    series: "category",
    seriesTitle: "Category",
    xTitle: "Published score (%)",
    yTitle: "Expected score of the profile (%)",
    xDomain: [0, 100],
    yDomain: [0, 100],
    diagonal: "published and expected are the same",
    tooltips: { Profile: "profile", Length: "length" },
    caption:
      "A point for each profile, category and length of RULER's Tables 13 to 16. Each category of a profile has three " +
      "numbers, fitted by least squares to its six lengths.",
    n: "500 samples a task behind each published score",
    origin: ORIGIN,
  });
}

/**
 * Shows the typical and the largest residual of each profile.
 *
 * @throws {RangeError} If there are no rows.
 */
export function residualTable(rows: readonly ProfileResidual[], options: { readonly title: string }): Table {
  const profiles = [...Map.groupBy(rows, ({ profile }) => profile)].map(([profile, ofProfile]) => {
    const worst = ofProfile.reduce((one, other) => Math.abs(other.residual) > Math.abs(one.residual) ? other : one);
    const { category, length, expected, published } = worst;
    return {
      profile,
      scores: ofProfile.length,
      typical: Math.sqrt(ofProfile.reduce((sum, { residual }) => sum + residual ** 2, 0) / ofProfile.length),
      largest: worst.residual,
      where: `${category} at ${lengthText(length)}: ${expected.toFixed(1)} for ${published.toFixed(1)}`,
    };
  });
  return table(profiles, {
    ...options,
    caption:
      "Expected less published scores, in points. Typical: the root of the mean square over categories and lengths.",
    n: `${rows.length} published scores`,
    origin: ORIGIN,
    columns: [
      { field: "profile", label: "Profile" },
      { field: "scores", label: "Scores", digits: 0 },
      { field: "typical", label: "Typical (points)", digits: 1 },
      { field: "largest", label: "Largest (points)", digits: 1 },
      { field: "where", label: "Where" },
    ],
  });
}
