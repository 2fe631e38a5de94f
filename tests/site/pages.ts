import { cpSync, existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize, relative } from "node:path";
import { Marked } from "marked";
import { escapeHtml } from "@/lib/base/mod.ts";
import { ROOT, writeBelow } from "../package/_bundles.ts";

/** A page of the site. */
export interface SitePage {
  /** Its path in the site. */
  readonly path: string;
  readonly title: string;
}

/** What pages may load: the site's own files. A text cannot become HTML, apart from the templates of the page. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/** Writes a page around its content, which is HTML. */
export async function writePage(folder: string, { path, title }: SitePage, content: string): Promise<void> {
  const root = "../".repeat(path.split("/").length - 1);
  await writeBelow(
    folder,
    path,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
</head>
<body>
<main>
<nav><a href="${root}index.html">Fathom</a> · <a href="${root}make.html">Make a sample</a></nav>
${content}</main>
</body>
</html>
`,
  );
}

/** Writes the project's pages as HTML, with the files that they link to. */
export async function writeDocs(folder: string): Promise<readonly SitePage[]> {
  const docs = (await readdir(join(ROOT, "docs"), { recursive: true })).map((path) => `docs/${path}`).sort();
  const paths = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", ...docs]
    .filter((path) => path.endsWith(".md"));
  return await Promise.all(paths.map(async (path): Promise<SitePage> => {
    const text = await readFile(join(ROOT, path), "utf8");
    const page = { path: path.replace(/md$/, "html"), title: /^# (.+)$/m.exec(text)?.[1] ?? path };
    await writePage(folder, page, toHtml(text, (target) => placeTarget(folder, path, target)));
    return page;
  }));
}

/**
 * Returns the address on the site of what a page links to, a file of which is copied; `undefined` for a folder, and for a notebook
 * without a report. The file must exist.
 */
function placeTarget(folder: string, path: string, target: string): string | undefined {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [name, anchor] = target.split("#");
  const file = normalize(join(dirname(path), name!));
  const place = file.replace(/\.md$/, ".html").replace(/^notebooks\/(.+)\.ipynb$/, "reports/$1.html");
  const isFile = statSync(join(ROOT, file)).isFile();
  if (place === file && isFile) cpSync(join(ROOT, file), join(folder, file));
  else if (!file.endsWith(".md") && !existsSync(join(folder, place))) return undefined;
  return relative(dirname(path), place) + (anchor === undefined ? "" : `#${anchor}`);
}

/** Writes Markdown as HTML, with links where there is a target, and none of its own HTML. */
function toHtml(markdown: string, place: (target: string) => string | undefined): string {
  const anchors = new Set<string>();
  return new Marked({
    renderer: {
      html: ({ text }) => text.startsWith("<!--") ? "" : escapeHtml(text),
      heading({ depth, tokens, text }): string {
        // As code hosts write it.
        const anchor = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-");
        const id = anchors.has(anchor) ? `${anchor}-${anchors.size}` : anchor;
        anchors.add(anchor);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }): string {
        const [text, target] = [this.parser.parseInline(tokens), place(href)];
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image({ href, text }): string {
        return `<img src="${escapeHtml(place(href) ?? "")}" alt="${escapeHtml(text)}">`;
      },
    },
  }).parse(markdown, { async: false });
}
