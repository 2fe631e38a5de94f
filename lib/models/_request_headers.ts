/** Headers that say how a request is made, and are never one's own to set. */
const FIXED: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
]);

/** Further headers of every request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Checks further headers. What they hold is as secret as a key: no message shows it.
 *
 * @throws {RangeError} If a name is none, or is that of a header that is not one's own to set.
 * @throws {TypeError} If a value has characters that no header can carry.
 */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): RequestHeaders {
  const checked = Object.entries(headers).map(([name, value]): [string, string] => {
    const plain = name.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.has(plain)) {
      throw new RangeError(
        `Cannot open the endpoint as the name of a header must be one such as api-key, and none of ${
          [...FIXED].join(", ")
        }: current value is ${JSON.stringify(name)}`,
      );
    }
    if (!/^[\x20-\x7e]+$/.test(value.trim())) {
      throw new TypeError(
        `Cannot open the endpoint as header ${plain} must be of visible ASCII characters: current value is not shown`,
      );
    }
    return [plain, value.trim()];
  });
  return Object.fromEntries(checked);
}

/**
 * Reads headers from text, one `name: value` a line, as in `OPENAI_CUSTOM_HEADERS`.
 *
 * @throws {SyntaxError} If a line is no header.
 */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line): [string, string] => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && value !== "") return [name.toLowerCase(), value];
    throw new SyntaxError(
      "Cannot read the headers as each line must be a name, a colon and a value: current value is not shown",
    );
  }));
}
