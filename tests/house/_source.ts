/** A name that a file imports. */
export interface ImportedName {
  /** The name at its origin; `*` where all are taken. */
  readonly name: string;
  /** The file of this project, or the module, such as `npm:vega` or `node:path`. */
  readonly from: string;
  /** Whether it is imported for its type alone. */
  readonly isType: boolean;
  /** Whether it is imported by a call, when the call is reached. */
  readonly isLazy?: true;
}

/** A name that a file exports. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  /** The file it is taken over from, where it is not declared here. */
  readonly from?: string;
  /** Names in its signature: parameters, result, fields, the type it has. */
  readonly mentions: ReadonlySet<string>;
}

/** What the house tests know of a file. */
export interface Source {
  /** Its path from the root, such as `lib/text/mod.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly ImportedName[];
  readonly exports: readonly ExportedName[];
  /** The texts that it compares a value with, by `===`, `!==` or `case`. */
  readonly compared: ReadonlySet<string>;
  /** Whether its code names `Deno`. */
  readonly usesDeno: boolean;
}

// deno-lint-ignore no-explicit-any -- the nodes of the syntax tree have no common type
type Node = any;

/** The door for notebooks, which hands on whole rooms by their names. */
const NOTEBOOK_DOOR = "lib/jupyter/mod.ts";

/** Reads what a file imports and exports; types count as values do. */
export function readSource(path: string, text: string): Source {
  const imports: ImportedName[] = [];
  const exports: ExportedName[] = [];
  const compared = new Set<string>();
  let usesDeno = false;
  const namespaces = new Map<string, string>();
  const take = (name: string, from: string, isType: boolean): void => void imports.push({ name, from, isType });
  Deno.lint.runPlugin(
    {
      name: "read",
      rules: {
        read: {
          create(): Deno.lint.LintVisitor {
            return {
              ImportDeclaration(node: Node): void {
                const from = resolveModule(path, node.source.value);
                if (node.specifiers.length === 0) take("*", from, false);
                for (const specifier of node.specifiers) {
                  const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
                  take(name, from, node.importKind === "type" || specifier.importKind === "type");
                  if (name === "*") namespaces.set(nameOf(specifier.local), from);
                  if (from === NOTEBOOK_DOOR) namespaces.set(nameOf(specifier.local), `lib/${name}/mod.ts`);
                }
              },
              Identifier({ name }: Node): void {
                usesDeno ||= name === "Deno";
              },
              BinaryExpression({ operator, left, right }: Node): void {
                if (/^[!=]==?$/.test(operator)) { for (const { value } of [left, right]) compared.add(value); }
              },
              SwitchCase({ test }: Node): void {
                if (test !== null) compared.add(test.value);
              },
              MemberExpression({ object, property }: Node): void {
                const from = object.type === "Identifier" ? namespaces.get(object.name) : undefined;
                if (from !== undefined && property.type === "Identifier") take(property.name, from, false);
              },
              ImportExpression(node: Node): void {
                const module = node.source.type === "TemplateLiteral" && node.source.quasis.length === 1
                  ? node.source.quasis[0].cooked
                  : node.source.value;
                if (typeof module !== "string") return;
                imports.push({ name: "*", from: resolveModule(path, module), isType: false, isLazy: true });
              },
              TSImportType(node: Node): void {
                take("*", resolveModule(path, node.argument.literal.value), true);
              },
              ExportAllDeclaration(node: Node): void {
                take("*", resolveModule(path, node.source.value), node.exportKind === "type");
                if (node.exported !== null) {
                  exports.push({ name: nameOf(node.exported), isType: false, mentions: new Set() });
                }
              },
              ExportNamedDeclaration(node: Node): void {
                const from = node.source === null ? undefined : resolveModule(path, node.source.value);
                for (const { local, exported, exportKind } of node.specifiers) {
                  const isType = node.exportKind === "type" || exportKind === "type";
                  if (from !== undefined) take(nameOf(local), from, isType);
                  exports.push({ name: nameOf(exported), isType, mentions: new Set(), ...(from && { from }) });
                }
                if (node.declaration !== null) exports.push(...readDeclaration(node.declaration, text));
              },
            };
          },
        },
      },
    },
    path,
    text,
  );
  return { path, lines: text.trimEnd().split("\n").length, imports, exports, compared, usesDeno };
}

/** Reads every file of a folder. */
export function readSources(folder: string): Source[] {
  return listFiles(folder).filter((path) => path.endsWith(".ts"))
    .map((path) => readSource(path, Deno.readTextFileSync(path)));
}

/** Lists the files under a folder, their paths from the root, in order. */
export function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${folder}/${name}`) : [`${folder}/${name}`]
  ).sort();
}

/**
 * The code of a notebook, of a page's `ts` blocks or of an example, as one file. A page also uses the names that it quotes, such as
 * `lineChart`, of the user's door.
 */
export function readCode(path: string): Source {
  const text = Deno.readTextFileSync(path);
  if (path.endsWith(".ts")) return readSource(path, text);
  const code = path.endsWith(".ipynb")
    ? (JSON.parse(text).cells as { readonly cell_type: string; readonly source: string | readonly string[] }[])
      .filter(({ cell_type: kind }) => kind === "code").map(({ source }) => [source].flat().join("")).join("\n")
    : [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
  const source = readSource(`${path}.ts`, code);
  const quoted = path.endsWith(".md") ? [...text.matchAll(/`(\w+)`/g)] : [];
  const named = quoted.map(([, name]) => ({ name: name!, from: "lib/mod.ts", isType: false }));
  return { ...source, imports: [...source.imports, ...named] };
}

/** A file of this project, or `npm:NAME` for every way to name a package: by deno.json, or `npm:NAME@1.0.0/part`. */
function resolveModule(path: string, module: string): string {
  if (module.startsWith("@/")) return module.slice(2);
  if (module.startsWith(".")) return new URL(module, `file:///${path}`).pathname.slice(1);
  if (module.includes(":") && !module.startsWith("npm:")) return module;
  const [, name] = /^(?:npm:)?\/?((?:@[^/]+\/)?[^/@]+)/.exec(module)!;
  return `npm:${name}`;
}

function readDeclaration(declaration: Node, text: string): ExportedName[] {
  const mentions = (from: Node, end: number): ReadonlySet<string> => new Set(namesIn(text.slice(from.range[0], end)));
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.map(({ id, init }: Node) => {
      const signature = id.typeAnnotation ?? init;
      return { name: nameOf(id), isType: false, mentions: mentions(signature, signature.range[1]) };
    });
  }
  const { type, id, body, range } = declaration;
  const isType = type === "TSInterfaceDeclaration" || type === "TSTypeAliasDeclaration";
  const end = type === "FunctionDeclaration" ? body.range[0] : range[1];
  return [{ name: nameOf(id), isType, mentions: mentions(declaration, end) }];
}

function nameOf(node: Node): string {
  return node.name ?? node.value;
}

/** Every name in code, comments and texts left out; going through the nodes of the syntax tree takes seconds. */
function namesIn(code: string): string[] {
  return code.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/gs, "").match(/[\w$]+/g) ?? [];
}
