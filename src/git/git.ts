/**
 * The git library, loaded by the first who needs it: it takes some tens of milliseconds, which a start must not wait for.
 */
export function loadGit(): Promise<typeof import("isomorphic-git")> {
  library ??= import("isomorphic-git");
  return library;
}

let library: Promise<typeof import("isomorphic-git")> | undefined;

/** The oid that stands for "there is none", as git writes it. */
export const noOid = "0".repeat(40);
