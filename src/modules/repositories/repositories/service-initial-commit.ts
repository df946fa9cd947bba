import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound } from "../../../domain/failure.ts";
import { isOid, isRefName } from "../../../git/index.ts";
import { settingsOf } from "../../core/application-settings/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import { groupSettingsOf, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { commitFile } from "./files/service-commit.ts";

/**
 * The name that the first branch of a repository gets where none is given: that of the group, of its topmost group, of the
 * instance, or `main` (groups-and-projects 3.4).
 */
export function firstBranchIn(context: Context, namespaceId: number): string {
  const { store } = context;
  const groupIds = selfAndAncestors(store, namespaceId).map(({ id }) => id);
  for (const id of [groupIds.at(0), groupIds.at(-1)]) {
    const group = id === undefined ? undefined : store.of(groups).get(id);
    const name = group === undefined ? null : groupSettingsOf(group).default_branch;
    if (name !== null) return name;
  }
  return settingsOf(context).default_branch_name || "main";
}

/** The default branch of a project; of an empty repository, the one that it will have. */
export function defaultBranchOrFirst(context: Context, { default_branch, namespace_id }: ProjectRecord): string {
  return default_branch ?? firstBranchIn(context, namespace_id);
}

/** The branch of the first commit that the server makes. Throws 400 for a name that git does not take. */
export function initialBranch(context: Context, namespaceId: number, wanted?: string | null): string {
  const branch = wanted || firstBranchIn(context, namespaceId);
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
