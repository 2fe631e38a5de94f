import { type Certificate, signedPoints } from "./judge.ts";
import { certificateFacts, certifiedCellTable } from "./page.ts";
import { escapeHtml, escapeMarkdown, quoteText, shownText } from "@/lib/base/mod.ts";

/** Writes a Markdown block for a pull request. */
export function certificateMarkdown(certificate: Certificate, command: string): string {
  const facts = certificateFacts(certificate).map(([what, text]) => `| ${what} | ${escapeMarkdown(text)} |`);
  const icons = { "no worse": "✅", loss: "⚠️", worse: "❌", "not enough data": "⚠️", unstable: "⚠️" };
  const notes = certificate.notes.map((note) => `- ${escapeMarkdown(note)}`);
  return [
    ...(certificate.earlier === undefined ? [] : [`> ${escapeMarkdown(certificate.earlier)}`, ""]),
    `### ${icons[certificate.verdict]} ${escapeMarkdown(certificate.headline)}`,
    "",
    ...["| Long-context certificate | |", "|---|---|", ...facts],
    "",
    ...(notes.length === 0 ? [] : [...notes, ""]),
    "<details><summary>By task</summary>",
    "",
    certifiedCellTable(certificate).markdown,
    "</details>",
    ...["", "Command:", "", "```sh", command.replaceAll("`", ""), "```", ""],
  ].join("\n");
}

/** Writes JUnit XML: one test case, which is skipped without a verdict; the cells are in its output. */
export function certificateJunit(certificate: Certificate): string {
  const { verdict, headline, cells, base, change, notes, earlier } = certificate;
  const kind =
    { "no worse": "", loss: "skipped", worse: "failure", "not enough data": "skipped", unstable: "error" }[verdict];
  const text = [
    ...earlier === undefined ? [] : [earlier],
    headline,
    ...notes,
    ...cells.map(({ task, length, difference, pairs }) =>
      `${task} at ${length}: ${signedPoints(difference || 0)} points on ${pairs} pairs`
    ),
  ].join("\n");
  const outcome = kind === "" ? "" : `<${kind} message="${escapeHtml(headline)}"/>`;
  return junitXml({
    suite: escapeHtml(`fathom certify: ${change.name} against ${base.name}`),
    kind,
    seconds: (base.seconds + change.seconds).toFixed(1),
    body: `${outcome}<system-out>${escapeHtml(text)}</system-out>`,
  });
}

function junitXml(
  { suite, kind, seconds, body }: Readonly<Record<"suite" | "kind" | "seconds" | "body", string>>,
): string {
  const [failures, errors, skipped] = ["failure", "error", "skipped"].map((each) => Number(each === kind));
  const counts = `tests="1" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
<testsuite name="${suite}" ${counts}>
<testcase classname="fathom.certify" name="${suite}" time="${seconds}">${body}</testcase>
</testsuite>
</testsuites>
`;
}

const MAX_REASON_CHARS = 2000;

/** Writes the Markdown of a certification that ended without a certificate, such as `cannot ask`. */
export function failureMarkdown(verdict: string, why: string): string {
  return `### ⚠️ No verdict: ${escapeMarkdown(verdict)}\n\n${escapeMarkdown(quoteText(why, MAX_REASON_CHARS))}\n`;
}

/** Writes the JUnit XML of a certification that ended without a certificate: an error. */
export function failureJunit(verdict: string, why: string): string {
  const body = `<error type="${escapeHtml(verdict)}" message="${escapeHtml(shownText(why, MAX_REASON_CHARS))}"/>`;
  return junitXml({ suite: "fathom certify", kind: "error", seconds: "0", body });
}
