import { deepEqual, equal, match, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { type CertifiedServer, certifiedServer, certifyFlags } from "./_certified_server.ts";
import { liveIn, NASTY_TEXTS } from "./_nasty_texts.ts";
import { type Outcome, shell, withCertificates } from "./_shell.ts";
import { harmless } from "@/lib/cli/output.ts";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";

/** Runs a test with a base, a change and the name of a certificate, whose folders are removed afterwards. */
async function withServers(
  use: (play: {
    readonly base: CertifiedServer;
    readonly change: CertifiedServer;
    readonly name: string;
    /** Runs the command with that name. */
    readonly certify: (...more: readonly string[]) => Promise<Outcome>;
  }) => Promise<void>,
): Promise<void> {
  await using base = certifiedServer();
  await using change = certifiedServer();
  await withCertificates(1, async (name) => {
    const certify = (...more: readonly string[]): Promise<Outcome> =>
      shell("certify", ...certifyFlags(base, change), "--name", name!, ...more);
    await use({ base, change, name: name!, certify });
  });
}

Deno.test("the same command asks the servers that run now, and has a name of its own", async () => {
  const arm = `x${crypto.randomUUID().slice(0, 8)}`;
  const flags = (base: CertifiedServer, change: CertifiedServer): readonly string[] =>
    certifyFlags(base, change).map((word) => word.replace(/^q8=/, `${arm}=`));
  const made: string[] = [];
  await using base = certifiedServer();
  try {
    for (const isRight of [true, false]) {
      await using change = certifiedServer({ isRight });
      const { code, err } = await shell("certify", ...flags(base, change));
      equal(code, isRight ? 0 : 1, err.join("\n"));
      ok(change.questions() > 0);
      made.push(/(\S+)\/report\.html$/m.exec(err.join("\n"))![1]!);
    }
    deepEqual(made.map((path) => path.split("/").at(-1)), [`${arm}-against-f16`, `${arm}-against-f16-2`]);
  } finally {
    for (const path of made) await Deno.remove(path, { recursive: true });
  }
});

Deno.test("a finished certificate that is named says first that nothing was asked now", async () => {
  await withServers(async ({ change, name, certify }) => {
    equal((await certify()).code, 0);
    const asked = change.questions();
    const { code, out, err } = await certify();
    deepEqual([code, change.questions()], [0, asked]);
    match(err[0]!, /^\d+ replies, from 20\S+ to 20\S+, are of earlier sessions and not asked now$/);
    match(
      out,
      /^No question was asked now: all \d+ replies, from 20\S+ to 20\S+, are of the servers as they were then\n/,
    );
    const summary = await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/summary.md`);
    match(summary, /^> No question was asked now/);
    match(await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/junit.xml`), /<system-out>No question was asked now/);
    match(JSON.parse((await certify("--json")).out).earlier, /^No question was asked now/);
  });
});

Deno.test("a certificate resumes only with the servers that it began with, each at its side", async () => {
  await withServers(async ({ base, change, name, certify }) => {
    change.served.onQuestion = (count) => change.served.refuses = count > 3 ? 401 : undefined;
    const { code, err } = await certify();
    equal(code, 3, err.join("\n"));
    [change.served.onQuestion, change.served.refuses] = [() => {}, undefined];
    const asked = (): readonly number[] => [base.questions(), change.questions()];
    const before = asked();
    const exchanged = await shell("certify", ...certifyFlags(change, base), "--name", name);
    equal(exchanged.code, 2);
    match(
      exchanged.err.at(-1)!,
      /as f16 must be at http:\S+, as before: current value is http:\S+; a command without --name/,
    );
    await using other = certifiedServer({ isRight: false });
    const elsewhere = await shell("certify", ...certifyFlags(base, other), "--name", name);
    equal(elsewhere.code, 2);
    match(elsewhere.err.at(-1)!, /as q8 must be at http/);
    for (
      const [fact, value, text] of [
        ["version", "2.0", "its software was vLLM 1.0 and then vLLM 2.0"],
        ["weights", "/models/other", "its weights was /models/tiny and then /models/other"],
        ["name", "large", "its model was tiny and then large"],
      ] as const
    ) {
      const { [fact]: was } = change.served;
      change.served[fact] = value;
      for (const flags of [[], ["--model", "tiny"]]) {
        const { code, err } = await certify(...flags);
        equal(code, 3, err.join("\n"));
        ok(err.at(-1)!.includes(`the server of q8 changed: ${text}; the replies are kept`), err.at(-1));
      }
      change.served[fact] = was;
    }
    deepEqual([asked(), other.questions()], [before, 0]);
    equal((await certify()).code, 0);
  });
});

for (
  const [fact, value, shown] of [
    ["fingerprint", "fp-2", /q8 changed: its fingerprint was fp-1 and then fp-2/],
    ["replied", "large", /q8 changed: its served model was tiny and then large/],
    ["version", "9.9", /q8 changed: its software was vLLM 1\.0 and then vLLM 9\.9/],
  ] as const
) {
  Deno.test(`a change of a server's ${fact} half-way ends the verdict, and stays`, async () => {
    await withServers(async ({ change, name, certify }) => {
      change.served.onQuestion = (count) => {
        if (count === 6) change.served[fact] = value;
      };
      const { code, err } = await certify();
      equal(code, 3, err.join("\n"));
      match(err.at(-1)!, shown);
      const summary = await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/summary.md`);
      match(summary, /Not enough data on q8 against f16, as the server of q8 changed/);
      change.served.onQuestion = () => {};
      const again = await certify();
      equal(again.code, 3);
      match(again.err.at(-1)!, shown);
      const records = await Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/change/records.jsonl`);
      ok(records.split("\n").length > 6);
    });
  });
}

Deno.test("fathom verify checks a certificate as a whole, and prints its verdict", async () => {
  await withServers(async ({ name, certify }) => {
    const { err } = await certify();
    match(err.join("\n"), /\nRegistered: 20\S+, SHA-256 [0-9a-f]{64}\n/);
    const path = `${CERTIFICATES_FOLDER}/${name}`;
    for (const named of [name, path]) {
      const { code, out } = await shell("verify", named);
      equal(code, 0);
      match(
        out,
        /^\S+: \d+ records; nothing is wrong\n(?: {2}(?:checked|cannot be checked): .+\n)+ {2}verdict: q8 loses less than 40 points against f16: /,
      );
    }
    const { verdict, faults, records } = JSON.parse((await shell("verify", path, "--json")).out);
    deepEqual([verdict, faults, records > 10], ["no worse", [], true]);
    await Deno.writeTextFile(`${path}/junit.xml`, "<testsuites/>");
    match((await shell("verify", path)).out, /\n {2}note: its junit\.xml has another result/);
    equal((await shell("verify", path, "--repair")).code, 2);
    const text = await Deno.readTextFile(`${path}/change/records.jsonl`);
    await Deno.writeTextFile(`${path}/change/records.jsonl`, text.replace(/"text":"\d/, `"text":"x`));
    const edited = await shell("verify", path);
    equal(edited.code, 1);
    match(edited.out, /1 fault\n {2}wrong: change: its records were changed/);
    ok(!edited.out.includes("verdict"));
    const again = await certify();
    equal(again.code, 2);
    match(again.err.at(-1)!, /Cannot judge the certificate in .* change: its records were changed/);
    await Deno.writeTextFile(`${path}/change/records.jsonl`, text);
    const design = await Deno.readTextFile(`${path}/certificate.json`);
    await Deno.writeTextFile(`${path}/certificate.json`, design.replace(`"margin": 40`, `"margin": 50`));
    const changed = await shell("verify", path);
    equal(changed.code, 1);
    match(changed.out, /wrong: Cannot read .* its design was changed since/);
  });
});

Deno.test("names that a server gives are inert in every output of certify and doctor", async () => {
  for (const text of NASTY_TEXTS.slice(0, 12).filter((_, at) => at % cases(4, 1) === 0)) {
    await withServers(async ({ base, change, name, certify }) => {
      const facts = { name: text, version: text, weights: text, replied: text, fingerprint: text };
      for (const { served } of [base, change]) Object.assign(served, facts);
      base.served.onQuestion = (count) => base.served.refuses = count > 30 ? 401 : undefined;
      const outcomes = [await certify(), await certify("--model", "tiny")];
      outcomes.push(await shell("doctor", "--model", "tiny", "--base-url", change.url));
      for (const { err, out } of outcomes) {
        for (const line of err) ok(!line.trim().includes("\n"), `${JSON.stringify(text)}: ${line}`);
        for (const line of [...err, ...out.split("\n")].map((line) => harmless(line))) {
          deepEqual(liveIn(line.trim(), ["controls", "command"]), [], `${JSON.stringify(text)}: ${line}`);
        }
        ok(!/^### /m.test(out), out);
      }
      const written = await Promise.all(
        ["summary.md", "junit.xml"].map((file) =>
          Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/${file}`).catch(() => "")
        ),
      );
      for (const form of written) {
        deepEqual(liveIn(form.replaceAll("&#8203;", "·"), ["command", "mention"]), [], JSON.stringify(text));
      }
    });
  }
});

Deno.test.each([["base"], ["change"]] as ["base" | "change"][])(
  "fathom certify cannot ask a %s that does not run, which is no wrong use",
  async (which) => {
    await withServers(async ({ base, change, name }) => {
      const gone = { url: "http://127.0.0.1:9/v1" };
      const flags = which === "base" ? certifyFlags(gone, change) : certifyFlags(base, gone);
      const { code, out } = await shell("certify", ...flags, "--name", name, "--json");
      const { verdict, headline } = JSON.parse(out);
      deepEqual([code, verdict], [3, "cannot ask"]);
      match(headline, which === "base" ? /^f16: The connection to / : /^q8: The connection to /);
    });
  },
);
