import type { Command } from "commander";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { untilInterrupted, writeLines } from "./files.ts";
import { number, wholeNumber } from "./flag_values.ts";
import type { Flags, Given } from "./flags.ts";
import type { Output } from "./output.ts";
import { addReadingFlags, readRuns } from "./recorded_runs.ts";
import { type LocalServer, Refusal, serveLocal } from "@/lib/exchange/mod.ts";
import { runFolder } from "@/lib/records/mod.ts";
import { openSamplePage, type SamplePage } from "@/lib/reports/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("view")
    .description(
      "Writes an HTML file to browse the samples of a run, complete in one file without network access: a searchable, sorted list; " +
        "scores by length and depth; each reply with its matches marked and its score; the prompt with its facts marked. Prompts " +
        "are made again from their recipes and checked against the recorded hashes; the file holds those of the lowest scores. " +
        "With --serve the page is served on this machine instead, and shows every prompt. No call is made.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .argument("[other]", "a second run of the same samples, to show both side by side")
    .option("--out <file>", "the page to write (default: view.html in the run's folder)")
    .option(
      "--serve [port]",
      "serve the page on 127.0.0.1 until Ctrl-C; without a port, on any that is free",
      wholeNumber(0, 65_535),
    )
    .option("--most <n>", "maximum number of samples, those with the lowest scores (default: all)", wholeNumber(1))
    .option("--characters <n>", "characters of text on each side of a fact", wholeNumber(0, 100_000), 160)
    .option("--prompts <MB>", "maximum size of the prompts in the file, compressed", number(0, 1000), 8)
    .option(
      "--rebuild <millions>",
      "maximum tokens of prompts to make again, in millions, the lowest scores first: their failures are classified (default: 20; " +
        "0.25 for more than 10,000 samples)",
      number(0, 1_000_000),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom view first\n" +
        "  fathom view first --serve\n" +
        "  fathom view first second --out compared.html\n" +
        "  fathom view first --rebuild 1000                 # classifies every failure of a long run, in minutes\n" +
        "  fathom view measured/gemma-3-270m/ruler --out gemma.html --prompts 2",
    )
    .action(async (name: string, other: string | undefined, flags: ViewFlags) => {
      const names = [name, ...(other === undefined ? [] : [other])];
      const runs = await readRuns(names, flags, output);
      const { most, characters, prompts, rebuild, serve, out: path = join(runFolder(name), "view.html") } = flags;
      const page = await openSamplePage(runs, {
        limit: most ?? Infinity,
        characters,
        names,
        isServed: serve !== undefined,
        promptBytes: 1e6 * prompts,
        ...(rebuild === undefined ? {} : { tokens: 1e6 * rebuild }),
      });
      if (serve === undefined) {
        await writeLines(page.html(), { path, output });
        return await output.write(`${path}\n`);
      }
      await untilInterrupted(await serveSamplePage(page, serve === true ? 0 : serve), output);
    });
  addReadingFlags(command);
}

interface ViewFlags extends Flags, Given<"rebuild", number>, Given<"serve", number | true> {
  readonly characters: number;
  readonly prompts: number;
}

/**
 * Serves a page and its prompts on 127.0.0.1: `GET /TOKEN/` and `GET /TOKEN/prompt/ROW`. Other users of the machine lack the token
 * of its address, and pages of other sites are refused.
 */
export async function serveSamplePage(page: SamplePage, port = 0): Promise<LocalServer> {
  const root = `/${randomUUID()}/`;
  const html = [...page.html()].join("");
  const headers = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": `${page.policy}; frame-ancestors 'none'`,
  };
  const server = await serveLocal(({ method }, path) => {
    const [, row] = /^prompt\/(\d{1,9})$/.exec(path.slice(root.length)) ?? [];
    if (method !== "GET" || !path.startsWith(root) || (path !== root && row === undefined)) {
      throw new Refusal(404, "unknown_path", "The address must be the one that `fathom view` printed");
    }
    return Promise.resolve(
      row === undefined
        ? { body: html, headers: { ...headers, "content-type": "text/html; charset=utf-8" } }
        : { body: JSON.stringify(page.prompt(Number(row))), headers },
    );
  }, { port });
  return { ...server, url: server.url + root };
}
