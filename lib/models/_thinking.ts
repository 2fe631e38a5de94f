/** A text with its thinking taken out. */
export interface Parted {
  readonly text: string;
  readonly thinking?: string;
}

const OPENING = /^\s*(?:<(think|thinking)>|\[(THINK)\])/;

/**
 * Takes a model's thinking out of what it wrote: `<think>…</think>`, `<thinking>…</thinking>` or `[THINK]…[/THINK]`.
 *
 * The opening mark can be missing, where the server's template has written it; the closing mark is missing where the
 * budget ran out first, and then all of it is thinking.
 */
export function takeOutThinking(written: string): Parted {
  const opened = OPENING.exec(written);
  if (!opened) {
    const [thinking, ...rest] = written.split("</think>");
    return rest.length === 0
      ? { text: written }
      : { text: rest.join("</think>").trimStart(), thinking: thinking!.trim() };
  }
  const closing = opened[2] ? "[/THINK]" : `</${opened[1]}>`;
  const inside = written.slice(opened[0].length);
  const end = inside.indexOf(closing);
  if (end === -1) return { text: "", thinking: inside.trim() };
  return { text: inside.slice(end + closing.length).trimStart(), thinking: inside.slice(0, end).trim() };
}
