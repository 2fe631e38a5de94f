import { fathom } from "./fathom.ts";

const encoder = new TextEncoder();

async function write(text: string): Promise<void> {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}

if (import.meta.main) {
  const code = await fathom(Deno.args, {
    write,
    print: (text) => void Deno.stdout.writeSync(encoder.encode(text)),
    tell: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
    draw: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
  });
  Deno.exit(code);
}
