import type { Titled } from "./figure.ts";
import { type Column, type Table, table } from "./table.ts";
import type { Tone } from "./table_text.ts";
import { plural } from "@/lib/base/mod.ts";
import { type CheckedClaim, NO_DIFFERENCE, type Verdict, verdictCounts } from "@/lib/statistics/mod.ts";

/**
 * Makes a table of checked claims: source, quote, statement, verdict and observation.
 *
 * Claims of the source come first, then inconsistencies of the source, then our own checks, each by verdict; the note counts
 * the verdicts of each kind. Claims that a run did not ask are named in the caption alone.
 */
export function claimTable(claims: readonly CheckedClaim[], options: Titled): Table {
  const { asked, others } = options.origin === "published" ? { asked: claims, others: "" } : splitAsked([claims]);
  const groups = KINDS.map(({ kind, name, note }) => {
    const ofKind = asked.filter((claim) => claim.kind === kind);
    const inOrder = Object.keys(MARKS).flatMap((verdict) => ofKind.filter((claim) => claim.verdict === verdict));
    return { note, rows: inOrder.map((claim) => ({ ...claim, name })) };
  }).filter(({ rows }) => rows.length > 0);
  const rows = groups.flatMap((group) => group.rows);
  if (rows.length === 0) return controlTable(options);
  return table(rows, {
    ...options,
    caption: 'Each verdict is computed from the numbers; where they do not decide, it is "cannot tell". ' +
      `A claim about all of several cases "mostly holds" if at least three quarters of them agree. ${ABOVE} ` +
      "Quotes are from the source; where they are vague, the measure is ours and marked as such." + others,
    n: groups.map(({ note, rows }) => counted(rows, note)).join("; "),
    columns: [
      { field: "id", label: "Claim" },
      { field: "name", label: "Kind" },
      { field: "source", label: "Source" },
      { field: "quote", label: "In its words", write: (quote) => quote === "" ? "–" : String(quote) },
      { field: "statement", label: "Checked" },
      VERDICT,
      { field: "observed", label: "Observed" },
    ],
  });
}

/** The rule for claims that one score is above another. */
const ABOVE =
  `One score is above another if the 95% interval of the difference is above 0; a difference that is surely below ${NO_DIFFERENCE} ` +
  "points is none.";

/** The verdicts in the order of the table, each with its own mark, so that colour is not needed. */
const MARKS: Readonly<Record<Verdict, { readonly mark: string; readonly tone: Tone }>> = {
  "holds": { mark: "✓", tone: "good" },
  "mostly holds": { mark: "≈", tone: "good" },
  "fails": { mark: "✗", tone: "bad" },
  "cannot tell": { mark: "?", tone: "open" },
};

const VERDICT: Column<{ readonly verdict: Verdict }> = {
  field: "verdict",
  label: "Verdict",
  write: (verdict) => `${MARKS[verdict as Verdict].mark} ${verdict}`,
  tone: (verdict) => MARKS[verdict as Verdict].tone,
};

const KINDS: readonly { readonly kind: CheckedClaim["kind"]; readonly name: string; readonly note: string }[] = [
  { kind: "paper", name: "Stated", note: "stated in the source" },
  { kind: "inconsistency", name: "Two places", note: "where two places of the source are compared" },
  { kind: "check", name: "Our check", note: "of ours, never stated in the source" },
];

function counted(claims: readonly CheckedClaim[], note: string): string {
  const noun = claims[0]!.kind === "paper" ? "claim" : "check";
  return `${claims.length} ${plural(claims.length, noun)} ${note}: ${countsOf(claims)}`;
}

function countsOf(claims: readonly { readonly verdict: Verdict }[]): string {
  const count = (verdict: Verdict): number => claims.filter((claim) => claim.verdict === verdict).length;
  return verdictCounts({
    holds: count("holds"),
    mostly: count("mostly holds"),
    fails: count("fails"),
    open: count("cannot tell"),
  });
}

/**
 * Makes a table of the same claims checked on several models, with a row for each claim and model. Claims that were asked of no
 * model are named in the caption alone.
 *
 * @param models At least one, all with the same claims.
 */
export function modelClaimTable(
  models: readonly { readonly model: string; readonly claims: readonly CheckedClaim[] }[],
  options: Titled,
): Table {
  const { asked: claims, others } = splitAsked(models.map(({ claims }) => claims));
  const rows = claims.flatMap(({ id, statement }) =>
    models.flatMap(({ model, claims: ofModel }, at) =>
      ofModel.filter((claim) => claim.id === id).map(({ verdict, observed }) => (
        { id, statement: at === 0 ? statement : "", model, verdict, observed }
      ))
    )
  );
  if (rows.length === 0) return controlTable(options);
  return table(rows, {
    ...options,
    caption:
      'Each verdict is computed from the replies of that model; where they do not decide, it is "cannot tell". ' +
      ABOVE + others,
    n: `${claims.length} ${plural(claims.length, "claim")}, ${models.length} ${plural(models.length, "model")}: ${
      countsOf(rows)
    }`,
    columns: [
      { field: "id", label: "Claim" },
      { field: "statement", label: "Checked", write: String },
      { field: "model", label: "Model" },
      VERDICT,
      { field: "observed", label: "Observed" },
    ],
  });
}

/** Says why no claim is in a table. */
function controlTable(options: Titled): Table {
  const caption = "No statement is checked on a simulated reader, a control.";
  return table([{ verdicts: "none" }], { ...options, caption, n: "no claims", columns: { verdicts: "Verdicts" } });
}

/** Returns the claims that were asked of any model, all of them if none was, and a sentence that names the others. */
function splitAsked(
  models: readonly (readonly CheckedClaim[])[],
): { readonly asked: readonly CheckedClaim[]; readonly others: string } {
  const all = models.find((claims) => claims.length > 0) ?? [];
  const ids = new Set(models.flat().filter(({ isAsked }) => isAsked !== false).map(({ id }) => id));
  const [asked, others] = [true, false].map((wanted) => all.filter(({ id }) => ids.has(id) === wanted));
  if (asked!.length === 0 || others!.length === 0) return { asked: all, others: "" };
  return { asked: asked!, others: ` Not asked here: ${others!.map(({ id }) => id).join(", ")}.` };
}
