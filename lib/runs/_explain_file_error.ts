/** Says in plain words why a file could not be read or written. */
export function explainFileError(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is nothing of that name";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  if (error instanceof Deno.errors.NotCapable) return "this task was not started with the permission to do so";
  if (error instanceof Deno.errors.NotADirectory) return "it is not a folder";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
