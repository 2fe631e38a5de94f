import type { Python } from "./find_jupyter.ts";

const WAYS_OUT = `Any one of these mends it; then run the same command again:
  a Jupyter of the distribution is used as it is
    Debian, Ubuntu:  sudo apt install python3-nbclient python3-nbconvert
    Fedora:          sudo dnf install python3-nbclient python3-nbconvert
  a mirror of the index, or a proxy
    export PIP_INDEX_URL=ADDRESS        export HTTPS_PROXY=ADDRESS
  packages carried over from a machine that has the network, with the same Python
    there:  python3 -m pip download -r lib/notebooks/requirements.txt -d wheels
    here:   export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels`;

/** Says that no Python new enough was found. */
export function explainPython(found: readonly Python[], least: number): string {
  const current = found[0] === undefined ? "none" : found[0].version.join(".");
  return `Cannot set up Jupyter as Python must be 3.${least} or newer: current value is ${current}\n` +
    "  Debian, Ubuntu:  sudo apt install python3 python3-venv\n" +
    "  Fedora, RHEL:    sudo dnf install python3.12";
}

/** Says why a Python made no virtual environment, from what it printed. */
export function explainVenv(python: Python, lines: readonly string[]): string {
  const version = python.version.join(".");
  const last = lines.findLast((line) => line.trim() !== "")?.trim() ?? "no reason";
  if (!lines.some((line) => /ensurepip|No module named venv|python3-venv/.test(line))) {
    return `Cannot set up Jupyter as ${python.program} must make a virtual environment: it says "${last}"`;
  }
  return `Cannot set up Jupyter as Python ${version} must have its venv module: current value is none\n` +
    `  Debian, Ubuntu:  sudo apt install python${version}-venv`;
}

const NETWORK_REASON =
  /Connection (?:refused|reset)[^'")]*|Name or service[^'")]*|Temporary failure[^'")]*|[\w ]+ timed out|SSL: [^'")]*|Tunnel [^'")]*/;

/** Says why pip installed nothing, from what it printed, and every way out. */
export function explainPip(lines: readonly string[], isOutOfReach: boolean): string {
  const reason = lines.map((line) => NETWORK_REASON.exec(line)?.[0].trim()).find((part) => part !== undefined);
  const isNowhere = lines.some((line) => line.includes("from versions: none"));
  if (isOutOfReach || isNowhere || reason !== undefined) {
    const answer = reason ?? "no answer";
    return `Cannot set up Jupyter as the Python package index must be within reach: current value is "${answer}"\n${WAYS_OUT}`;
  }
  const last = lines.findLast((line) => line.startsWith("ERROR")) ?? lines.at(-1) ?? "no reason";
  return `Cannot set up Jupyter as pip must install the pinned parts: current value is "${last.trim()}"\n${WAYS_OUT}`;
}
