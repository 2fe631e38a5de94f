/** A row of a Parquet file: texts, numbers, lists of texts, and messages of a prompt; `null` is a missing value. */
export type DataRow = Readonly<
  Record<
    string,
    string | number | null | readonly string[] | readonly { readonly role: string; readonly content: string }[]
  >
>;

type DataValue = DataRow[string];

type DataRows = Iterable<DataRow> | AsyncIterable<DataRow>;

/** Limits of a row group of a Parquet file, which is held in memory. */
const MAX_GROUP = { rows: 10_000, chars: 32_000_000 };

/** Writes Parquet one row group at a time; the first group determines the types of the columns. */
export async function* parquetBytes(rows: DataRows): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const takeBytes = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let columns: readonly ParquetColumn[] = [];
  let file: InstanceType<typeof ParquetWriter> | undefined;
  for await (const group of groupsOf(rows)) {
    if (file === undefined) {
      columns = Object.keys(group[0]!).map((name) => ({ name, type: TYPES[name] ?? typeOf(group, name) }));
      const schema = [{ name: "root", num_children: columns.length }, ...columns.flatMap(schemaOf)];
      file = new ParquetWriter({ writer, createdBy: "Fathom", schema });
    }
    const columnData = columns.map((column) => ({ name: column.name, data: valuesOf(group, column) }));
    await file.write({ columnData, rowGroupSize: MAX_GROUP.rows });
    yield takeBytes();
  }
  if (file === undefined) return;
  await file.finish();
  yield takeBytes();
}

async function* groupsOf(rows: DataRows): AsyncGenerator<readonly DataRow[]> {
  let group: DataRow[] = [];
  let chars = 0;
  for await (const row of rows) {
    group.push(row);
    for (const value of Object.values(row)) chars += charsOf(value);
    if (group.length < MAX_GROUP.rows && chars < MAX_GROUP.chars) continue;
    yield group;
    [group, chars] = [[], 0];
  }
  if (group.length > 0) yield group;
}

function charsOf(value: DataValue): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value === "number") return 8;
  return value.reduce((sum, each) => sum + (typeof each === "string" ? each : each.content).length, 0);
}

type ColumnType = "STRING" | "INT32" | "DOUBLE" | "TEXTS" | "MESSAGES";

interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Columns whose type never depends on their values, so that files can be read together. */
const TYPES: Readonly<Record<string, "INT32" | "DOUBLE">> = {
  ...{ length: "INT32", index: "INT32", repeat: "INT32", promptTokens: "INT32", latencyMs: "INT32" },
  ...{ nativePromptTokens: "INT32", nativeAnswerTokens: "INT32", promptCut: "INT32", "max_new_tokens": "INT32" },
  ...{ "token_position_answer": "INT32" },
  ...{ score: "DOUBLE", penalised: "DOUBLE", whole: "DOUBLE", depth: "DOUBLE", low: "DOUBLE", high: "DOUBLE" },
};

function typeOf(rows: readonly DataRow[], name: string): ColumnType {
  const values = rows.map((row) => row[name] ?? null);
  const list = values.find((value) => Array.isArray(value) && value.length > 0) as readonly unknown[] | undefined;
  if (list !== undefined) return typeof list[0] === "string" ? "TEXTS" : "MESSAGES";
  if (values.some((value) => Array.isArray(value))) return "TEXTS";
  return values.some((value) => typeof value === "number") ? "DOUBLE" : "STRING";
}

/** An element of a Parquet schema; every value may be missing. */
interface SchemaElement {
  readonly name: string;
  readonly type?: "BYTE_ARRAY" | "INT32" | "DOUBLE";
  readonly "converted_type"?: "UTF8" | "LIST";
  readonly "repetition_type": "OPTIONAL" | "REPEATED";
  readonly "num_children"?: number;
}

function schemaOf({ name, type }: ParquetColumn): SchemaElement[] {
  if (type === "INT32" || type === "DOUBLE") return [{ name, type, "repetition_type": "OPTIONAL" }];
  if (type === "STRING") return [textElement(name)];
  const elements = type === "TEXTS" ? [textElement("element")] : [
    { name: "element", "repetition_type": "OPTIONAL", "num_children": 2 } as const,
    ...[textElement("role"), textElement("content")],
  ];
  return [
    { name, "converted_type": "LIST", "repetition_type": "OPTIONAL", "num_children": 1 },
    { name: "list", "repetition_type": "REPEATED", "num_children": 1 },
    ...elements,
  ];
}

function textElement(name: string): SchemaElement {
  return { name, type: "BYTE_ARRAY", "converted_type": "UTF8", "repetition_type": "OPTIONAL" };
}

function valuesOf(rows: readonly DataRow[], { name, type }: ParquetColumn): DataValue[] {
  const [wanted, kind] = WANTED[type];
  return rows.map((row) => {
    const value = row[name] ?? null;
    if (value === null || (Array.isArray(value) ? "list" : typeof value) === kind) return value;
    throw new RangeError(
      `Cannot write the rows as all of column ${name} must be ${wanted}: current value is ${JSON.stringify(value)}`,
    );
  });
}

/** What the values of a column must be, in words, and as JavaScript has it. */
const WANTED: Readonly<Record<ColumnType, readonly [string, string]>> = {
  STRING: ["text", "string"],
  INT32: ["numbers", "number"],
  DOUBLE: ["numbers", "number"],
  TEXTS: ["lists", "list"],
  MESSAGES: ["lists", "list"],
};
