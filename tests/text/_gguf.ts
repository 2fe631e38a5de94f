/** A value of a .gguf header: text, whole number, switch, or a list of texts, whole numbers or scores. */
export type GgufValue = string | number | boolean | readonly string[] | Int32Array | Float32Array;

/** Writes a .gguf file of version 3 that has a header and no weights. */
export function writeGguf(values: Readonly<Record<string, GgufValue>>): Uint8Array {
  const parts: Uint8Array[] = [
    new TextEncoder().encode("GGUF"),
    whole(3),
    whole(0, 8),
    whole(Object.keys(values).length, 8),
  ];
  for (const [key, value] of Object.entries(values)) parts.push(text(key), ...typed(value));
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 };

function typed(value: GgufValue): Uint8Array[] {
  if (typeof value === "string") return [whole(TYPES.string), text(value)];
  if (typeof value === "number") return [whole(TYPES.u32), whole(value)];
  if (typeof value === "boolean") return [whole(TYPES.bool), Uint8Array.of(Number(value))];
  const items = Array.isArray(value) ? value.map(text) : [new Uint8Array((value as Int32Array).buffer)];
  const type = Array.isArray(value) ? TYPES.string : value instanceof Int32Array ? TYPES.i32 : TYPES.f32;
  return [whole(TYPES.array), whole(type), whole(value.length, 8), ...items];
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return Uint8Array.of(...whole(bytes.length, 8), ...bytes);
}

function whole(value: number, size: 4 | 8 = 4): Uint8Array {
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
