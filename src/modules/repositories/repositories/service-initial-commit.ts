import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound } from "../../../domain/failure.ts";
import { isOid, isRefName } from "../../../git/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { commitFile } from "./files/service-commit.ts";

/** The first branch of a repository if none is named. */
const firstBranch = "main";

/** The branch of the first commit that `initialize_with_readme` makes. Throws 400 for a name that git does not take. */
export function initialBranch(wanted: string | null | undefined): string {
  const branch = wanted || firstBranch;
  if (!isRefName(branch) || isOid(branch)) throw invalid({ default_branch: ["is invalid"] });
  return branch;
}

/** The first commit of an empty repository, with an empty README. One that is not empty any more stays as it is. */
export async function commitReadme(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  branch: string,
  baseUrl: string,
): Promise<void> {
  const author = { name: undefined, email: undefined };
  const change = { action: "create", path: "README.md", branch, message: "Add README.md", author } as const;
  await commitFile(context, caller, project, { ...change, content: new Uint8Array(), isOnlyFirst: true }, baseUrl);
}

/** The first commit of a new project, with a README alone (triggers-and-pipelines 7). Resolves to the record as it is then. */
export async function commitInitialReadme(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  branch: string,
  baseUrl: string,
): Promise<ProjectRecord> {
  const description = project.description ? `${project.description}\n` : "";
  const change = {
    action: "create",
    path: "README.md",
    branch,
    message: "Initial commit",
    author: { name: undefined, email: undefined },
    content: Buffer.from(`# ${project.name}\n${description === "" ? "" : `\n${description}`}`),
    isByServer: true,
  } as const;
  await commitFile(context, caller, project, change, baseUrl);
  const now = context.store.of(projects).get(project.id);
  // Its group was deleted meanwhile.
  if (now === undefined) throw notFound("Project");
  return now;
}
