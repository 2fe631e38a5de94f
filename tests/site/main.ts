import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { escapeHtml, isFile } from "@/lib/base/mod.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";
import { ROOT, writeBelow } from "../package/_bundles.ts";
import { bundleForBrowsers } from "./bundle.ts";
import { type SitePage, writeDocs, writePage } from "./pages.ts";

/**
 * Writes the site: an index, the docs, exported reports, and the page that makes samples.
 *
 * @param folder Where to write; what is there is replaced.
 * @returns The files of `lib` in its code, and the pages.
 */
export async function writeSite(folder: string): Promise<{ code: readonly string[]; pages: readonly string[] }> {
  await rm(folder, { recursive: true, force: true });
  const code = await bundleForBrowsers(join(folder, "code"));
  await writeTexts(join(folder, "texts"));
  const styles = ["lib/jupyter/templates/report/report.css", "tests/site/site.css"];
  const style = await Promise.all(styles.map((path) => readFile(join(ROOT, path), "utf8")));
  await writeBelow(folder, "site.css", style.join("\n"));
  const reports = await copyReports(folder);
  const docs = await writeDocs(folder);
  const make = { path: "make.html", title: "Make a sample" };
  const script = '<script type="module" src="code/make_page.js"></script><noscript>It needs JavaScript.</noscript>';
  await writePage(folder, make, `<h1>${make.title}</h1>\n<div id="page"></div>\n${script}\n`);
  const lists = { "Try it": [make], "Docs": docs, "Reports of the notebooks": reports };
  const content = Object.entries(lists).filter(([, pages]) => pages.length > 0).map(([heading, pages]) => {
    const items = pages.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>\n`);
    return `<h2>${heading}</h2>\n<ul>\n${items.join("")}</ul>\n`;
  });
  await writePage(folder, { path: "index.html", title: "Fathom" }, `<h1>Fathom</h1>\n${content.join("")}`);
  if (reports.length === 0) console.log("Without reports of notebooks, which deno task export-notebooks makes");
  return { code, pages: ["index.html", ...[make, ...docs].map(({ path }) => path)] };
}

/** Writes the texts of samples, compressed, as not every host compresses files. */
async function writeTexts(folder: string): Promise<void> {
  const read = (path: string): Promise<string> => readFile(join(ROOT, "data", path), "utf8");
  const write = (path: string, text: string): Promise<void> => writeBelow(folder, `${path}.gz`, gzipSync(text));
  for (const essays of ["haystacks/essays_en", "haystacks/essays_zh"]) {
    const names = (await readdir(join(ROOT, "data", essays))).filter((name) => name.endsWith(".txt"));
    const texts = await Promise.all(names.map(async (name) => [name, await read(`${essays}/${name}`)] as const));
    await write(essays, JSON.stringify(Object.fromEntries(texts)));
  }
  for (const path of ["words/adjectives.txt", "words/nouns.txt", "words/vocabulary.txt", "least_lengths.json"]) {
    await write(path, await read(path));
  }
}

/** Copies the exported reports of the committed notebooks, those that are there. */
async function copyReports(folder: string): Promise<readonly SitePage[]> {
  const notebooks = (await readdir(join(ROOT, "notebooks"))).filter((name) => name.endsWith(".ipynb")).sort();
  const pages = await Promise.all(notebooks.map(async (name): Promise<SitePage[]> => {
    const path = `reports/${name.replace(/ipynb$/, "html")}`;
    if (!await isFile(join(ROOT, "results", path))) return [];
    await mkdir(join(folder, "reports"), { recursive: true });
    await copyFile(join(ROOT, "results", path), join(folder, path));
    const [lead] = parseNotebook(await readFile(join(ROOT, "notebooks", name), "utf8")).cells;
    return [{ path, title: /^# (.+)$/m.exec(lead?.source ?? "")?.[1] ?? name }];
  }));
  return pages.flat();
}

if (import.meta.main) {
  const { pages } = await writeSite(join(ROOT, "dist/site"));
  console.log(`dist/site: ${pages.length} pages`);
}
