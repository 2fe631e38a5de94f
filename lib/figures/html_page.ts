import { escapeHtml } from "@/lib/base/mod.ts";

/** What a page without scripts may load: nothing from elsewhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/** Returns a self-contained page. */
export function htmlPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
<style>body { font-family: Inter, Helvetica, Arial, sans-serif; margin: 1.5rem; } svg { max-width: 100%; height: auto; } th, td { padding: 0.25em 0.75em; } tbody tr:nth-child(odd) { background: #f6f6f6; }</style>
</head>
<body>
${body}
</body>
</html>
`;
}
