import { type Certificate, type CertificateVerdict, differenceText } from "./judge.ts";
import { escapeHtml, grouped, lengthText, percent, plural } from "@/lib/base/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";
import { type Figure, htmlPage, lineChart, type Table, table } from "@/lib/figures/mod.ts";

/** Verdicts in the words of reports. */
const VERDICTS: Readonly<Record<CertificateVerdict, string>> = {
  "no worse": "No worse",
  loss: "A loss, not shown to be beyond the margin",
  worse: "Worse",
  "not enough data": "Not enough data",
  unstable: "The server is not stable enough",
};

/** Draws how the interval of the difference narrowed; `null` before the first complete round. */
export function certificateFigure(certificate: Certificate): Figure | null {
  const { state: { path, pairs }, design: { base, change, margin, errorChance = 0.025 } } = certificate;
  if (path.length === 0) return null;
  const { low, high } = path.at(-1)!;
  const differences = path.map(({ difference }) => Math.abs(difference));
  const reach = Math.min(100, Math.ceil(Math.max(4 * margin, ...differences, -1.5 * low, 1.5 * high)));
  const chance = 100 * errorChance;
  return lineChart(path, {
    title: certificate.headline,
    caption:
      `The change less the base, in points, after each look. The interval may be looked at after every round: over all looks together each end errs with a chance of at most ${chance}%.`,
    origin: certificate.origin,
    n: `${pairs} ${plural(pairs, "pair")}`,
    interval: "confidence sequence",
    x: "pairs",
    y: "difference",
    low: "low",
    high: "high",
    xSpacing: "linear",
    xTitle: "Pairs",
    yTitle: `${change.name} less ${base.name} (points)`,
    yDomain: [-reach, reach],
    thresholds: [{ y: -margin, label: `margin: −${margin}` }],
  });
}

/** Makes a table of the cells of the mix. */
export function certifiedCellTable(certificate: Certificate): Table {
  const { cells, design: { base, change }, origin, state } = certificate;
  const rows = cells.map((cell) => ({ ...cell, place: lengthText(cell.length) }));
  return table(rows.map((row) => row.pairs > 0 ? row : { ...row, base: null, change: null, difference: null }), {
    title: `${change.name} against ${base.name}, by task`,
    caption: "Means in percent and their difference in points. Up and down count questions whose score rose and fell.",
    origin,
    n: `${state.pairs} ${plural(state.pairs, "pair")}`,
    columns: {
      task: "Task",
      place: { label: "Length", align: "right" },
      pairs: "Pairs",
      base: { label: base.name, digits: 1 },
      change: { label: change.name, digits: 1 },
      difference: { label: "Difference", digits: 1 },
      better: "Up",
      worse: "Down",
    },
  });
}

/** Makes a table of the cells that the calibration left out; `null` if there are none. */
export function droppedCellTable({ design: { dropped, base }, origin }: Certificate): Table | null {
  if (dropped.length === 0) return null;
  const rows = dropped.map(({ task, length, reason, tried }) => ({
    task,
    reason,
    place: lengthText(length),
    tried: tried.map(({ task, score }) => `${task}: ${score === null ? "–" : score.toFixed(0)}`).join("; ") || "–",
  }));
  return table(rows, {
    title: `Left out of the mix, by the scores of ${base.name}`,
    caption: "The settings that were tried, with the score of the base in percent.",
    origin,
    n: `${rows.length} ${plural(rows.length, "cell")}`,
    columns: { task: "Task", place: { label: "Length", align: "right" }, reason: "Reason", tried: "Tried" },
  });
}

/** Lists the facts of a certificate, each with its name. */
export function certificateFacts(certificate: Certificate): readonly (readonly [what: string, text: string])[] {
  const { verdict, state, design, base, change, itself, registered, samples, origin, byScore } = certificate;
  const { margin, method = "betting", errorChance = 0.025, questions, mix } = design;
  const { pairs, contexts, better, worse } = state;
  const cached = Math.max(base.cachedShare, change.cachedShare);
  const cells = `${mix.length} ${plural(mix.length, "cell")} with equal weights`;
  const tokens = `${grouped(base.promptTokens + change.promptTokens)} of prompts`;
  return [
    ["Verdict", VERDICTS[verdict]],
    ...byScore === null ? [] : [["Measure", "the mean probability of the right answer"] as const],
    ["Difference", `${differenceText(state)}; margin ${margin}`],
    ...byScore === null ? [] : [["By replies", repliesText(byScore)] as const],
    ["Pairs", `${pairs} in ${contexts} ${plural(contexts, "context")}, ${better} better and ${worse} worse`],
    ["Mix", questions === 1 ? cells : `${cells}, ${questions} questions of each context`],
    ["Decided by", `${METHODS[method]}; each side errs with a chance of at most ${100 * errorChance}%`],
    ["Base twice", itself === null ? "not asked" : selfText(itself)],
    ...[base, change].map((arm, at): readonly [string, string] => [
      at === 0 ? "Base" : "Change",
      [`${arm.name}: ${arm.model}`, arm.software, arm.address, arm.flags].filter((part) => part !== null).join(", "),
    ]),
    ["Tokens", cached === 0 ? tokens : `${tokens}, ${percent(cached)} of them from the servers' caches`],
    ["Samples", `${samples.count}, ${hashText(samples)}`],
    ["Registered", registered === null ? "no: recorded runs" : `${registered.time}, ${hashText(registered)}`],
    ["Replies", originText(origin)],
  ];
}

function repliesText({ difference, low, high, better, worse }: NonNullable<Certificate["byScore"]>): string {
  const scores = differenceText({ difference, low, high });
  return `their scores differ by ${scores} on the same pairs, ${better} better and ${worse} worse; this decides nothing here`;
}

function selfText(itself: NonNullable<Certificate["itself"]>): string {
  const { pairs, identical, better, worse } = itself;
  return `${identical} of ${pairs} replies identical, ${better} better and ${worse} worse; ${differenceText(itself)}`;
}

function hashText({ sha256 }: { readonly sha256: string }): string {
  return `SHA-256 ${sha256.slice(0, 16)}`;
}

const METHODS = {
  betting: "a betting confidence sequence",
  fixed: "one interval of all pairs",
  signs: "a sign-flip test",
} as const;

/** Writes a page with the verdict, the figure, the facts and the tables; it needs no other file. */
export async function certificatePage(certificate: Certificate, command: string): Promise<string> {
  const { verdict, headline, notes, earlier } = certificate;
  const figure = certificateFigure(certificate);
  const facts = certificateFacts(certificate).slice(1).map(([what, text]) =>
    `<tr><th scope="row" align="left">${escapeHtml(what)}</th><td>${escapeHtml(text)}</td></tr>`
  );
  const body = [
    ...(earlier === undefined ? [] : [`<p><strong>${escapeHtml(earlier)}.</strong></p>`]),
    `<h1>${escapeHtml(VERDICTS[verdict])}</h1>`,
    `<p>${escapeHtml(headline)}.</p>`,
    ...notes.map((note) => `<p>${escapeHtml(note)}.</p>`),
    ...(figure === null
      ? []
      : [`<figure style="margin: 0" aria-label="${escapeHtml(figure.title)}">${await figure.svg()}</figure>`]),
    `<table>${facts.join("\n")}</table>`,
    ...[certifiedCellTable(certificate), droppedCellTable(certificate)].flatMap((each) =>
      each === null ? [] : [`<div style="margin-top: 1.5rem">${each.html}</div>`]
    ),
    `<p>Command:</p><pre style="white-space: pre-wrap">${escapeHtml(command)}</pre>`,
  ];
  return htmlPage(`${certificate.change.name} against ${certificate.base.name}: ${VERDICTS[verdict]}`, body.join("\n"));
}
