import { equal, throws } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { findBrowser } from "@/lib/jupyter/print_pdf.ts";

Deno.test("findBrowser() takes the first browser of the PATH, then what systems install", async () => {
  await withFolder({ "late/chromium": "", "early/google-chrome": "", "app/Chrome": "" }, (folder) => {
    equal(findBrowser(`${folder}/none:${folder}/early:${folder}/late`, []), `${folder}/early/google-chrome`);
    equal(findBrowser(`${folder}/none`, [`${folder}/app/Chrome`]), `${folder}/app/Chrome`);
    return Promise.resolve();
  });
});

Deno.test("findBrowser() says what to install where there is none", () => {
  throws(() => findBrowser("/nowhere", []), {
    message: /^Cannot print a PDF as Chromium, Chrome or Edge must be on the PATH: .* apt install chromium/,
  });
});
