import { equal, match } from "node:assert/strict";

const ROOT = new URL("../..", import.meta.url).pathname;

async function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const permissions = ["--allow-read", "--allow-env=PATH,INIT_CWD"];
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "--no-prompt", ...permissions, "lib/jupyter/main.ts", ...args],
    cwd: ROOT,
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

Deno.test.each(["export-notebooks", "lab", "reproduce", "setup"].map((name) => [name]))(
  "%s --help teaches by example",
  async (name) => {
    const { code, stdout } = await run(name, "--", "--help");
    equal(code, 0);
    match(stdout, /^ {2}deno task /m);
  },
);

Deno.test.each([
  [
    "an unknown command",
    ["frobnicate"],
    /^Cannot choose a command as it must be one of export-notebooks, lab, .*: current value is "frobnicate"\n$/,
  ],
  [
    "an unknown option",
    ["reproduce", "--", "--bogus"],
    /^Cannot read the arguments as they must be among --only, .*--bogus'"\n$/,
  ],
  ["an unknown notebook", ["reproduce", "--", "--only", "99"], /^Cannot choose a notebook .* current value is "99"\n$/],
  [
    "a parameter that none declares",
    ["reproduce", "--", "--set", "sampels=5"],
    /^Cannot set a parameter .* current value is "sampels"\n$/,
  ],
  [
    "a parameter without value",
    ["reproduce", "--", "--set", "samples"],
    /^Cannot set a parameter as it must be name=value: .*"samples"\n$/,
  ],
  [
    "an address that is none",
    ["reproduce", "--", "--base-url", "localhost"],
    /^Cannot use an endpoint as --base-url must be an http address/,
  ],
] as [string, string[], RegExp][])(
  "%s gives one line, exit code 2 and no stack trace",
  async (_name, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    equal(code, 2);
    match(stderr, message);
    equal(stdout, "");
  },
);

Deno.test("an address with a password is refused, and not printed", async () => {
  const { code, stderr } = await run("reproduce", "--", "--base-url", "http://ann:s3cret@host/v1");
  equal(code, 2);
  match(stderr, /without user, password or key/);
  equal(stderr.includes("s3cret"), false);
});
