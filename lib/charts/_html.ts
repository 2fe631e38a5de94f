/** Text that an HTML page shows as it is. */
export function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}

/** A whole page that needs nothing else to be shown. */
export function htmlPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>body { font-family: Inter, Helvetica, Arial, sans-serif; margin: 1.5rem; } svg { max-width: 100%; height: auto; } th, td { padding: 0.25em 0.75em; } tbody tr:nth-child(odd) { background: #f6f6f6; }</style>
</head>
<body>
${body}
</body>
</html>
`;
}
