import type { Spacing } from "./_axis.ts";
import { cannotDraw, type Domain } from "./_rows.ts";

/** Refuses a value that its axis could not show. */
export function refuseUnshowable(
  value: number | null,
  options: {
    readonly title: string;
    readonly field: string;
    readonly domain: Domain | undefined;
    readonly spacing: Spacing | undefined;
  },
): void {
  const { title, field, domain, spacing } = options;
  if (value === null) return;
  if ((spacing === "log" || spacing === "lengths") && value <= 0) {
    throw cannotDraw(title, `${field} must be above 0 on a logarithmic axis`, value);
  }
  if (domain !== undefined && (value < domain[0] || value > domain[1])) {
    throw cannotDraw(title, `${field} must be in the domain [${domain.join(", ")}] of its axis`, value);
  }
}

/** Refuses an interval whose ends are the wrong way round, or that a logarithmic axis could not show. */
export function refuseInterval(
  { low, high }: { readonly low: number | null; readonly high: number | null },
  options: { readonly title: string; readonly spacing?: Spacing | undefined },
): void {
  const { title, spacing = "linear" } = options;
  if (low === null || high === null) return;
  if (low > high) throw cannotDraw(title, `low must be at most high (${high})`, low);
  refuseUnshowable(low, { title, field: "low", domain: undefined, spacing });
}
