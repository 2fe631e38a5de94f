/**
 * Lint rules of this project's own.
 *
 * `fathom/error-message`: an error says `Cannot <do> as <name> must be <wanted>: current value is <v>`, in literals and in
 * templates alike: upper case first, no full stop last, no contraction. A hole of a template may stand for any part; a whole
 * file or folder as the value need not be shown. Tests may throw what they like.
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
  },
};

/** The text of a message, a hole standing where a value goes; `undefined` where it is not written in place. */
function textOf(node: Deno.lint.Node | undefined): string | undefined {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node?.type === "TemplateLiteral") return node.quasis.map((part) => part.cooked).join("{}");
  if (node?.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "{}"}${right ?? "{}"}`;
}

function findProblem(text: string, name: string): string | undefined {
  if (/^[a-z]/.test(text)) return "An error's message must open in upper case";
  if (/\.$/.test(text)) return "An error's message must not end in a full stop";
  if (/\b\w+n't\b|\b(?:it|that|there|what)'s\b/i.test(text)) return "An error's message must have no contraction";
  if (name === "Error" || /^\{\}/.test(text)) return undefined;
  if (/^Cannot .+ as .*(?:\bmust\b|\{\})/s.test(text)) return undefined;
  return "An error's message must read: Cannot <do> as <name> must be <wanted>: current value is <v>";
}

export default plugin;
