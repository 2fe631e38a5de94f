/** Where progress is shown: one line redrawn on a terminal; elsewhere a line now and then. */
export interface Screen {
  /** Shows a progress line, in place of the one before. */
  readonly show: (line: string) => void;
  /** Prints a line that stays. */
  readonly print: (line: string) => void;
}

const QUIET_MS = 5000;

/** Opens the screen that progress is shown on: standard error, so that results may go to a pipe. */
export function openScreen(): Screen {
  return Deno.stderr.isTerminal() ? terminalScreen() : plainScreen();
}

function terminalScreen(): Screen {
  const columns = (): number => Deno.consoleSize().columns;
  return {
    show: (line) => write(`\r\x1b[2K${line.slice(0, columns() - 1)}`),
    print: (line) => write(`\r\x1b[2K${line}\n`),
  };
}

function plainScreen(): Screen {
  let shown = 0;
  return {
    show: (line) => {
      if (Date.now() - shown < QUIET_MS) return;
      shown = Date.now();
      write(`${line}\n`);
    },
    print: (line) => write(`${line}\n`),
  };
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
