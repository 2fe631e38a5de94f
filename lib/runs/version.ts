import project from "../../deno.json" with { type: "json" };

/** The version of Fathom, as deno.json has it; stands in every record. */
export const FATHOM_VERSION: string = (project as { readonly version?: string }).version ?? "unreleased";
