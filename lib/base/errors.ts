/** Explanations of errors by Deno's names and by the codes of `node:fs`. */
const REASONS: readonly (readonly [names: readonly string[], reason: string])[] = [
  [["NotFound", "ENOENT"], "there is nothing of that name"],
  [["PermissionDenied", "EACCES", "EPERM"], "the system does not permit it"],
  [["NotCapable"], "this task was not started with the permission to do so"],
  [["NotADirectory", "ENOTDIR"], "it is not a folder"],
  [["IsADirectory", "EISDIR"], "it is a folder"],
  [["ENOSPC", "EDQUOT"], "there is no space left on the disk"],
  [["ENAMETOOLONG"], "its name is too long for the file system"],
  [["EROFS"], "its file system is read-only"],
  [["EMFILE", "ENFILE"], "too many files are open"],
  [["ELOOP", "FilesystemLoop"], "its links lead in a circle"],
];

/** Explains in a few words why a file could not be read or written. */
export function explainFileError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, code } = error as Error & { readonly code?: string };
  const [, reason] = REASONS.find(([names]) => names.includes(name) || names.includes(code ?? "")) ?? [];
  return reason ?? error.message;
}
