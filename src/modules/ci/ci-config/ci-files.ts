/** The files of repositories that a CI file may include or ask about. */

import type { Comparison, Lookups, ProjectFiles, RepositoryFiles } from "./files.ts";

/** The source of included files: one commit of one project. */
export interface CiFiles {
  readonly sha: string;
  /** The tag by which the commit was asked for. */
  readonly tag: string | undefined;
  /** The text of a file, which may be that of a component; undefined when it is not there. */
  read(path: string, component?: string): Promise<string | undefined>;
  /** The files of the repository, for patterns of paths. */
  files(): Promise<RepositoryFiles>;
  /** The paths that were changed since a branch, tag or commit; left out where that is not known. */
  changedSince?(ref: string): Promise<Comparison>;
  /** The text of a file in the archive of a job, where a child pipeline is made. Throws `CiFileError`. */
  readonly artifact?: ((job: string, path: string) => Promise<string>) | undefined;
  /** The files of another project, of its default branch unless said; or what cannot be read. */
  of(project: string, ref: string | undefined): Promise<CiFiles | "no project" | "no ref">;
}

/** Answers the questions of rules from the repositories that a commit may look into. */
export function lookupsIn(files: CiFiles): Lookups {
  return {
    changedSince: async (ref) => files.changedSince?.(ref),
    async filesOf(project, ref): Promise<ProjectFiles> {
      const place = await files.of(project, ref);
      return typeof place === "string" ? place : (await place.files()).all;
    },
  };
}
