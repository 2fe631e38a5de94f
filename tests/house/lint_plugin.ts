/**
 * Lint rules of this project.
 *
 * `fathom/error-message`: an error message starts in upper case, has no full stop at the end and no contraction, and names what was
 * expected, for instance `Cannot <do> as <name> must be <wanted>: current value is <v>`. Tests are exempt.
 *
 * `fathom/pure-room`: rooms before `lib/models` and those that compute (statistics, figures, benchmarks, papers) use no clock, network,
 * randomness or module state: samples and numbers depend on arguments alone.
 *
 * `fathom/interface-once`: an interface is declared once per file; TypeScript would merge two silently.
 *
 * `fathom/joined-fields`: no spread of a literal in lib: `{ ...{ a, b }, c }` only puts fields on one line.
 *
 * `fathom/nested-conditional`: no conditional expression in lib that is a branch or the test of another one.
 *
 * `fathom/few-exports`: a file of lib exports at most 15 names, apart from a room's door.
 */
const plugin: Deno.lint.Plugin = {
  name: "fathom",
  rules: {
    "error-message": {
      create(context): Deno.lint.LintVisitor {
        if (/\/tests\//.test(context.filename)) return {};
        return {
          NewExpression(node): void {
            if (node.callee.type !== "Identifier" || !/^(Range|Type|Syntax)?Error$/.test(node.callee.name)) return;
            const text = textOf(node.arguments[0]);
            const problem = text === undefined ? undefined : findProblem(text, node.callee.name);
            if (problem !== undefined) context.report({ node, message: problem });
          },
        };
      },
    },
    "pure-room": {
      create(context): Deno.lint.LintVisitor {
        if (!PURE_ROOM.test(context.filename)) return {};
        const refuse = (node: Deno.lint.Node, what: string): void =>
          context.report({ node, message: `A pure room must have no ${what}: take it as an argument` });
        return {
          MemberExpression(node): void {
            if (node.object.type !== "Identifier" || node.property.type !== "Identifier") return;
            const what = IMPURE[`${node.object.name}.${node.property.name}`];
            if (what !== undefined) refuse(node, what);
          },
          NewExpression(node): void {
            const { callee } = node;
            if (callee.type === "Identifier" && callee.name === "Date" && node.arguments.length === 0) {
              refuse(node, "clock");
            }
          },
          CallExpression(node): void {
            if (node.callee.type !== "Identifier") return;
            if (node.callee.name === "fetch") refuse(node, "network");
            if (node.callee.name === "Date") refuse(node, "clock");
          },
          Program(node): void {
            for (const statement of node.body) {
              const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
              if (declaration?.type !== "VariableDeclaration") continue;
              if (declaration.kind !== "const" || declaration.declarations.some(({ init }) => isStore(init))) {
                refuse(declaration, "module state");
              }
            }
          },
        };
      },
    },
    "joined-fields": {
      create(context): Deno.lint.LintVisitor {
        if (!OF_LIB.test(context.filename)) return {};
        return {
          "SpreadElement > ObjectExpression, SpreadElement > TSAsExpression > ObjectExpression"(
            node: Deno.lint.ObjectExpression,
          ): void {
            context.report({ node, message: "A literal must not be spread: write its fields where they belong" });
          },
        };
      },
    },
    "nested-conditional": {
      create(context): Deno.lint.LintVisitor {
        if (!OF_LIB.test(context.filename)) return {};
        return {
          "ConditionalExpression > ConditionalExpression"(node: Deno.lint.ConditionalExpression): void {
            context.report({ node, message: "Conditional expressions must not be nested: use if, or a table" });
          },
        };
      },
    },
    "few-exports": {
      create(context): Deno.lint.LintVisitor {
        if (!OF_LIB.test(context.filename) || context.filename.endsWith("/mod.ts")) return {};
        return {
          Program(node): void {
            const exported = node.body.filter((statement) =>
              statement.type === "ExportNamedDeclaration" && statement.declaration !== null
            );
            if (exported.length <= MOST_EXPORTS) return;
            const message = `A file must export at most ${MOST_EXPORTS} names: this one exports ${exported.length}`;
            context.report({ node: exported[MOST_EXPORTS]!, message });
          },
        };
      },
    },
    "interface-once": {
      create(context): Deno.lint.LintVisitor {
        const seen = new Set<string>();
        return {
          "Program > TSInterfaceDeclaration, Program > ExportNamedDeclaration > TSInterfaceDeclaration"(
            node: Deno.lint.TSInterfaceDeclaration,
          ): void {
            const { name } = node.id;
            if (seen.has(name)) context.report({ node, message: `Interface ${name} is declared twice in this file` });
            seen.add(name);
          },
        };
      },
    },
  },
};

/** Files of the library. */
const OF_LIB = /\/lib\/|^lib\//;

/** The most names that a file of lib exports, apart from a room's door. */
const MOST_EXPORTS = 15;

/** Rooms whose results depend on arguments alone. */
const PURE_ROOM = /\/lib\/(?:random|text|scorers|generators|statistics|figures|benchmarks|papers)\//;

/** What depends on more than arguments. */
const IMPURE: Readonly<Record<string, string>> = {
  "Date.now": "clock",
  "performance.now": "clock",
  "Math.random": "chance",
  "crypto.randomUUID": "chance",
  "crypto.getRandomValues": "chance",
  "globalThis.fetch": "network",
};

/** Whether a value of a module is there to be filled later: an empty list or object, or an empty map or set. */
function isStore(node: Deno.lint.Expression | null): boolean {
  if (node?.type === "ArrayExpression") return node.elements.length === 0;
  if (node?.type === "ObjectExpression") return node.properties.length === 0;
  if (node?.type !== "NewExpression" || node.callee.type !== "Identifier") return false;
  return /^(?:Weak)?(?:Map|Set)$/.test(node.callee.name) && node.arguments.length === 0;
}

/** The text of a message, a hole standing where a value goes; `undefined` where it is not written in place. */
function textOf(node: Deno.lint.Node | undefined): string | undefined {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node?.type === "TemplateLiteral") return node.quasis.map((part) => part.cooked).join("{}");
  if (node?.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "{}"}${right ?? "{}"}`;
}

const FORM =
  "An error's message must name what was expected, as in: Cannot <do> as <name> must be <wanted>: current value is <v>";

function findProblem(text: string, name: string): string | undefined {
  if (/^[a-z]/.test(text)) return "An error's message must open in upper case";
  if (/\.$/.test(text)) return "An error's message must not end in a full stop";
  if (/\b\w+n't\b|\b(?:it|that|there|what)'s\b/i.test(text)) return "An error's message must have no contraction";
  if (name === "Error" || /^\{\}/.test(text)) return undefined;
  if (/\b(?:must|cannot|expected)\b|: /i.test(text)) return undefined;
  return FORM;
}

export default plugin;
