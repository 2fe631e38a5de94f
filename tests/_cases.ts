const isFull = Deno.env.get("FATHOM_CASES") === "all";

/**
 * How much a test goes through: `few` in `deno task test`, enough to find what is broken, and `all` in `deno task test:slow`,
 * which sets FATHOM_CASES=all and runs every test file that imports this one.
 */
export function cases<Amount>(few: Amount, all: Amount): Amount {
  return isFull ? all : few;
}
