/** Reads the pairs of an object of UUIDs by its characters, as `JSON.parse` keeps one of two equal keys alone. */
export function readPairs(prompt: string): (readonly [key: string, value: string])[] {
  const object = prompt.slice(0, prompt.indexOf("\n"));
  return Array.from(object.matchAll(/"([^"]+)": "([^"]+)"/g), ([, key, value]) => [key!, value!] as const);
}

/** Tells how long every way from a key is, in steps; a way ends at a value that is no key. Throws on a circle. */
export function waysFrom(
  key: string,
  pairs: readonly (readonly [string, string])[],
): { readonly end: string; readonly steps: number }[] {
  const values = Map.groupBy(pairs, ([from]) => from);
  const follow = (from: string, steps: number): { end: string; steps: number }[] => {
    if (steps > pairs.length) throw new Error(`a circle through ${from}`);
    return (values.get(from) ?? []).flatMap(([, to]) => values.has(to) ? follow(to, steps + 1) : [{ end: to, steps }]);
  };
  return follow(key, 1);
}
