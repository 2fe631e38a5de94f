import { deepEqual, equal, match } from "node:assert/strict";
import { withPage } from "./_browser.ts";
import { findChromium, findReady, makeProject, named } from "./_project.ts";
import { reproduceNotebook } from "@/lib/jupyter/reproduce.ts";

const jupyter = await findReady("run");
const chromium = findChromium();
const missing = {
  "Jupyter is not set up; deno task setup does it": jupyter === undefined,
  "there is no Chromium": chromium === undefined,
};

Deno.test({
  name: named("a report opens without network, shows its pictures and asks for nothing", missing),
  ignore: jupyter === undefined || chromium === undefined,
  fn: async () => {
    if (jupyter === undefined || chromium === undefined) return;
    const project = await makeProject(jupyter, { "01-tiny": "tiny" });
    const { report } = await reproduceNotebook("01-tiny", project);
    const address = `file://${project.folder}/${report}`;
    await withPage(chromium, async ({ page, failed, asked }) => {
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      await page.goto(address);
      equal(await page.title(), "A tiny notebook");
      match(await page.textContent("main") ?? "", /3 samples of sim:ideal/);
      equal(await page.locator(".shown table td").textContent(), "0.5");
      match(await page.textContent(".made") ?? "", /notebooks\/01-tiny\.ipynb/);
      const width = await page.locator("figure.chart svg").evaluate((image) => image.getBoundingClientRect().width);
      equal(width, 90);
      equal(await page.locator("script").count(), 0);
      deepEqual(failed, []);
      deepEqual(asked.filter((url) => url !== address && !url.startsWith("data:")), []);
      deepEqual(said, []);
      await page.screenshot({ path: `${project.folder}/report.png`, fullPage: true });
      await keep(project.folder, "report.png");
    }, true).finally(project.remove);
  },
});

// Screenshots are kept for the eye where a folder is named for them.
async function keep(folder: string, file: string): Promise<void> {
  const shots = Deno.env.get("FATHOM_SCREENSHOTS");
  if (shots !== undefined) await Deno.copyFile(`${folder}/${file}`, `${shots}/${file}`);
}
