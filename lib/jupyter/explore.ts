import type { JsonObject, Notebook } from "./notebook.ts";
import { policyOf } from "./report_page.ts";
import { escapeHtml, grouped, plural, shortName, sum } from "@/lib/base/mod.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "@/lib/figures/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { groupsOf, openExplorer, thresholdScript } from "@/lib/reports/mod.ts";
import { lengthMeans, originText, type ScoreRow, summarise } from "@/lib/statistics/mod.ts";

/** An output of a notebook that is live there, and has another form in a report. */
export type LiveOutput = { readonly [JUPYTER_DISPLAY]: () => Promise<MimeBundle> };

/** The MIME type of the form that an output has in a report, as HTML. */
const REPORT_TYPE = "application/vnd.fathom.report+json";

/**
 * Shows the explorer of runs in a notebook: their answers, charts whose marks filter the samples, and each reply with its question,
 * score and prompt. A page that is too large is written beside the reports and linked. In a report all runs have one explorer, at its end.
 *
 * @param runs One to six runs.
 * @param options `most`: the most characters of a page in the notebook, a million by default. `folder`: that of a larger page.
 * @throws {RangeError} If the runs have no reply, or more than 100,000.
 */
export async function explore(
  runs: readonly ScoredRun[],
  { most = 1_000_000, folder = "../results/reports" }: { readonly most?: number; readonly folder?: string } = {},
): Promise<LiveOutput> {
  const names = runs.map(({ manifest }) => manifest.name).join(" beside ");
  const count = sum(runs, ({ replies }) => replies.length);
  const text = `The ${grouped(count)} ${plural(count, "reply")} of ${names}`;
  const page = [...(await openExplorer(runs, { promptBytes: 60_000 })).html()].join("");
  const inReport = `<p><a href="#replies">${escapeHtml(text)}</a>: at the end of this page.</p>`;
  if (page.length <= most) return liveOutput({ text, html: frame(text, page, 760), inReport });
  const file = `${folder}/${shortName(names.replaceAll(/[^\w.-]+/g, "-"), names)}.replies.html`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(file, page);
  return liveOutput({ text, html: `<p><a href="${escapeHtml(file)}">${escapeHtml(text)}</a></p>`, inReport });
}

/**
 * Shows the effective lengths of models, and the lengths that are not excluded, by a threshold that a reader moves.
 *
 * @param published Published scores by length with their intervals; a model that lacks an interval is left out.
 * @param runs Runs beside them, by the mean of their first group of tasks.
 */
export async function thresholdSlider(
  published: readonly { readonly model: string; readonly scores: readonly ScoreRow[] }[],
  runs: readonly ScoredRun[] = [],
): Promise<LiveOutput> {
  // A simulated reader is a control, and no model.
  const models = runs.filter(({ manifest }) => manifest.origin !== "simulated");
  const own = models.map((run) => {
    const rows = summarise(run.replies);
    return { model: run.manifest.model, scores: lengthMeans(rows, { groups: groupsOf(run, rows).slice(0, 1) }) };
  });
  const rows = [...published, ...own].flatMap(({ model, scores }) =>
    scores.map(({ length, score, low, high, n, units }) => ({ model, length, score, low, high, n, units }))
  );
  const origins = [...published.map(() => "published"), ...models.map(({ manifest }) => originText(manifest.origin))];
  const text = `Effective lengths by any threshold: ${[...new Set(origins)].join(" and ")}`;
  const panel = `<div class="thresholds" data-rows="${escapeHtml(JSON.stringify(rows))}"></div>`;
  const page = `<!DOCTYPE html><meta charset="utf-8"><body>${panel}${policyOf([await thresholdScript()])}`;
  const html = frame(text, page, 160 + 34 * origins.length);
  return liveOutput({ text, html, inReport: `${headOf(text)}${panel}` });
}

function headOf(text: string): string {
  return `<p><strong>${escapeHtml(text)}</strong></p>`;
}

/** Shows a page in a notebook, under a line that stays where a notebook is not trusted: it has no origin, so it reads nothing of the notebook. */
function frame(title: string, page: string, height: number): string {
  const style = `width: 100%; height: ${height}px; border: 0`;
  const own = `sandbox="allow-scripts" allow="clipboard-write" style="${style}" srcdoc="${escapeHtml(page)}"`;
  return `${headOf(title)}<iframe title="${escapeHtml(title)}" ${own}></iframe>`;
}

function liveOutput({ text, html, inReport }: Readonly<Record<"text" | "html" | "inReport", string>>): LiveOutput {
  const bundle = { "text/html": html, "text/plain": text, [REPORT_TYPE]: { html: inReport } };
  return { [JUPYTER_DISPLAY]: () => Promise.resolve(bundle) };
}

/** Gives the live outputs of a notebook the forms that they have in a report. */
export function withReportForms(notebook: Notebook): Notebook {
  const inReport = (output: JsonObject): JsonObject => {
    const { data = {} } = output as { readonly data?: JsonObject };
    const form = data[REPORT_TYPE] as { readonly html: string } | undefined;
    return form === undefined ? output : { ...output, data: { ...data, "text/html": form.html } };
  };
  return { ...notebook, cells: notebook.cells.map((cell) => ({ ...cell, outputs: cell.outputs.map(inReport) })) };
}
