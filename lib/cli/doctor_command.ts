import type { Command } from "commander";
import type { Output } from "./output.ts";
import { canServe, findJupyter, probePython } from "@/lib/jupyter/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

/** Adds `fathom doctor`: what this machine lacks, and the command that fixes it. */
export function addDoctorCommand(program: Command, output: Output): void {
  program.command("doctor")
    .summary("check this machine, and say how to fix what is missing")
    .description("Looks at everything that Fathom needs or can use, and names the command for what is missing.")
    .addHelpText("after", "\nExample:\n  fathom doctor")
    .action(async () => {
      const checks = await examine();
      for (const check of checks) await output.write(`${describe(check)}\n`);
      const missing = checks.filter(({ state }) => state === "missing");
      if (missing.length > 0) {
        throw new Error(
          `${missing.length} of ${checks.length} things are missing: ${missing.map(({ what }) => what).join(", ")}`,
        );
      }
    });
}

const MARKS: Readonly<Record<Check["state"], string>> = { ok: "ok      ", optional: "optional", missing: "MISSING " };

function describe({ state, what, found, fix }: Check): string {
  return `${MARKS[state]}  ${what.padEnd(22)} ${found}${fix === undefined ? "" : `\n${" ".repeat(33)}fix: ${fix}`}`;
}

interface Check {
  readonly what: string;
  readonly state: "ok" | "optional" | "missing";
  readonly found: string;
  /** The command that fixes it, if there is something to fix. */
  readonly fix?: string;
}

const DENO = "2.9.6";
const PROJECT = new URL("../../", import.meta.url);

/** Looks at everything that Fathom needs or can use on this machine. */
async function examine(): Promise<Check[]> {
  return await Promise.all([
    examineDeno(),
    examineEncodings(),
    examineEssays(),
    examineResults(),
    examinePython(),
    examineJupyter(),
    examineChromium(),
    examineModel(),
  ]);
}

function examineDeno(): Check {
  const found = `Deno ${Deno.version.deno}`;
  return Deno.version.deno === DENO
    ? { what: "Deno", state: "ok", found }
    : { what: "Deno", state: "optional", found, fix: `npx --yes deno@${DENO} task …, the version that was tested` };
}

async function examineEncodings(): Promise<Check> {
  const tokenizer = await openEncoding("cl100k_base");
  const tokens = tokenizer.count("The grass is green.");
  return tokens === 5 ? { what: "tokenizer", state: "ok", found: "cl100k_base counts as it should" } : {
    what: "tokenizer",
    state: "missing",
    found: `cl100k_base counts ${tokens} for 5 tokens`,
    fix: "deno install --frozen",
  };
}

async function examineEssays(): Promise<Check> {
  const path = "data/haystacks/essays_en";
  const files = await Array.fromAsync(Deno.readDir(new URL(path, PROJECT))).catch(() => []);
  return files.length > 0
    ? { what: "embedded essays", state: "ok", found: `${files.length} files in ${path}` }
    : { what: "embedded essays", state: "missing", found: `nothing in ${path}`, fix: "git checkout -- data" };
}

async function examineResults(): Promise<Check> {
  const probe = new URL("results/.doctor", PROJECT);
  try {
    await Deno.writeTextFile(probe, "");
    await Deno.remove(probe);
    return { what: "results folder", state: "ok", found: "can be written" };
  } catch {
    return {
      what: "results folder",
      state: "missing",
      found: "cannot be written",
      fix: "mkdir -p results && chmod u+w results",
    };
  }
}

async function examinePython(): Promise<Check> {
  const python = await probePython("python3");
  return python ? { what: "Python 3", state: "ok", found: `python3 is ${python.version.join(".")}` } : {
    what: "Python 3",
    state: "missing",
    found: "no python3 on the PATH",
    fix: "apt-get install python3 python3-venv, or your system's own",
  };
}

async function examineJupyter(): Promise<Check> {
  const own = await probePython(new URL(".venv/bin/python", PROJECT).pathname);
  const python = own && canServe(own, "run")
    ? own
    : await findJupyter("run", Deno.env.get("PATH") ?? "").catch(() => undefined);
  return python
    ? {
      what: "Jupyter",
      state: "ok",
      found: `${python.program}: ${Object.entries(python.parts).map((part) => part.join(" ")).join(", ")}`,
    }
    : {
      what: "Jupyter",
      state: "missing",
      found: "neither in .venv nor on the PATH",
      fix: `npx --yes deno@${DENO} task setup`,
    };
}

async function examineChromium(): Promise<Check> {
  const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  for (const program of programs) {
    if ((await Deno.stat(program).catch(() => undefined))?.isFile) {
      return { what: "Chromium", state: "ok", found: program };
    }
  }
  return {
    what: "Chromium",
    state: "optional",
    found: "not found; only the browser tests want it",
    fix: "apt-get install chromium",
  };
}

function examineModel(): Check {
  const url = Deno.env.get("OPENAI_BASE_URL");
  const key = Deno.env.get("OPENAI_API_KEY") ? "a key is set" : "no key is set";
  return url === undefined
    ? {
      what: "model",
      state: "optional",
      found: `the simulated reader answers; ${key}`,
      fix: "name a model: --model NAME --base-url URL",
    }
    : { what: "model", state: "ok", found: `OPENAI_BASE_URL is set; ${key}` };
}
