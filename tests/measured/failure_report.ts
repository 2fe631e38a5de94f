/**
 * Prints how far the two readings of the labels agree and how well the failure classes agree with the labels, as Markdown; with
 * `--wrong`, the replies where they do not, those held out left aside.
 *
 *     deno run -A tests/measured/failure_report.ts [--wrong]
 */
import { readBoth, readingsText } from "./_agreement.ts";
import { type Judged, judgeLabelled, reportText } from "./_labels.ts";

const judged = await judgeLabelled();
console.log(`## Two readings\n\n${readingsText(await readBoth())}\n\n${reportText(judged)}`);
if (Deno.args.includes("--wrong")) {
  for (const each of judged.filter(({ isHeldOut }) => !isHeldOut)) {
    const told = each.modes.map((mode) => mode.class);
    if (told.join() !== each.labels.join()) console.log(describe(each, told));
  }
}

function describe({ id, labels, certain, sample, text, modes }: Judged, told: readonly string[]): string {
  const lines = [
    `\n${id}\n  label ${labels.join(", ")}${certain ? "" : " (doubtful)"} | told ${told.join(", ")}`,
    `  wanted ${sample.references.join(", ").slice(0, 160)}`,
    `  reply ${JSON.stringify(text.slice(0, 260))}`,
    `  why ${modes.map(({ why }) => why.slice(0, 160)).join(" | ")}`,
  ];
  return lines.join("\n");
}
