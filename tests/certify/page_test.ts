import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { liveIn, NASTY_TEXTS } from "../cli/_nasty_texts.ts";
import type { Output } from "@/lib/cli/output.ts";
import { writeCertificate } from "@/lib/cli/certify_outcome.ts";
import { withFolder } from "../asking/_fakes.ts";
import { certifyRuns, type StudyRun } from "@/lib/mod.ts";
import {
  certificateJunit,
  certificateMarkdown,
  certificatePage,
  failureJunit,
  failureMarkdown,
} from "@/lib/certify/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

/** A recorded run whose every text of a server or a file is nasty. */
function soiled(run: StudyRun, text: string): StudyRun {
  const { manifest } = run;
  return {
    ...run,
    manifest: {
      ...manifest,
      ...{ name: "run", model: text, settings: { ...manifest.settings, baseUrl: `http://127.0.0.1/v1${text}` } },
      server: { address: "", time: "", canTokenize: false, tokenRatios: {}, software: text, served: [text] },
    },
    replies: run.replies.map((reply) => ({
      ...reply,
      task: `vt${text}`,
      record: {
        ...reply.record,
        reply: { ...reply.record.reply, servedModel: `${reply.record.index % 2}${text}`, fingerprint: text } as never,
      },
    })),
  };
}

Deno.test("a certificate is inert wherever it is written, whatever texts servers and files give", async () => {
  await withFolder(async (folder) => {
    const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 12 });
    const run = await runStudy(study, { name: "one", model: simulatedModel("ideal"), folder });
    const drawn = NASTY_TEXTS.filter((_, at) => at % cases(6, 1) === 0);
    for (const text of NASTY_TEXTS) {
      const soil = soiled(run, text);
      const certificate = certifyRuns(soil, soil, { margin: 2, names: [`one ${text}`, `two ${text}`] });
      const why = JSON.stringify(text);
      let printed = "";
      const noted: string[] = [];
      const output: Output = {
        write: (part) => Promise.resolve(void (printed += part)),
        print: (part) => void (printed += part),
        note: (line) => void noted.push(line),
        redraw: () => {},
      };
      await writeCertificate(certificate, {
        flags: {},
        command: "fathom certify",
        output,
        path: undefined,
        exitCode: 3,
      });
      for (const line of [...printed.split("\n"), ...noted]) {
        deepEqual(liveIn(line, ["controls", "command", "mention", "tag"]), [], `${why}: ${line}`);
      }
      for (const note of noted) ok(!note.includes("\n"), why);
      const json = JSON.stringify(certificate);
      deepEqual(liveIn(json, ["controls", "command", "mention"]), [], why);
      const markdown = certificateMarkdown(certificate, "fathom certify");
      deepEqual(liveIn(markdown.replaceAll("&#8203;", "·"), ["command", "mention", "link", "reference"]), [], why);
      const tags = markdown.replaceAll(/\\./g, "").match(/<[^>]*>/g);
      deepEqual(tags, ["<details>", "<summary>", "</summary>", "</details>"], why);
      equal(markdown.match(/^#+ /gm)!.length, 1, why);
      for (const line of markdown.split("\n")) deepEqual(liveIn(line, ["controls"]), [], why);
      const junit = certificateJunit(certificate);
      equal(junit.match(/<testcase /g)!.length, 1, why);
      for (const line of junit.split("\n")) deepEqual(liveIn(line, ["controls", "command", "mention"]), [], why);
      const failed = [failureMarkdown("cannot ask", text), failureJunit("cannot ask", text)] as const;
      for (const form of failed) {
        const lines = form.replaceAll("&#8203;", "·").replaceAll("\n", "");
        deepEqual(liveIn(lines, ["controls", "mention", "link"]), [], why);
      }
      equal(failed[1].match(/<testcase /g)!.length, 1, why);
      if (!drawn.includes(text)) continue;
      const page = await certificatePage(certificate, "fathom certify");
      ok(!/<script|<img|<!-- fathom|href=/.test(page), why);
      deepEqual(liveIn(page.replaceAll("\n", ""), ["controls", "command"]), [], why);
    }
  });
});
