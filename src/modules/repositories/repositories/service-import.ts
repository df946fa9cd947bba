import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import type { Repository } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { getProject } from "../../core/access/index.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findReadme } from "./readme.ts";
import { placeOf } from "./service-repository-access.ts";

/**
 * Makes a repository that a command has staged that of a project, whose own is empty. No pipeline begins. Throws 400 for a
 * repository that is not empty, 404 for an unknown project, 507 without room.
 */
export async function importRepository(
  context: Context,
  caller: SignedInCaller,
  { project: given, stage, commits }: { readonly project: string; readonly stage: string; readonly commits: number },
): Promise<ProjectRecord> {
  const located = () => {
    const project = getProject(context, caller, given);
    if (project.archived) throw invalid("the project is archived");
    return project;
  };
  const { id } = located();
  return context.repositories.adopt(
    { kind: "project", id },
    () => placeOf(located()),
    stage,
    async (repository, bytes) => {
      context.get(Quotas).requireRoom(`project ${id}`, bytes);
      const default_branch = (await repository.headBranch()) ?? null;
      const readme = await readmeAt(repository, default_branch);
      return context.store.transact((tx) => {
        const { readme: _, ...now } = located();
        const { statistics } = now;
        return tx.update(projects, {
          ...now,
          default_branch,
          ...(readme === undefined ? {} : { readme }),
          last_activity_at: toDateTime(context.clock.now()),
          statistics: {
            ...statistics,
            commit_count: commits,
            repository_size: bytes,
            storage_size: (statistics?.storage_size ?? 0) + bytes,
          },
        });
      });
    },
  );
}

async function readmeAt(repository: Repository, branch: string | null): Promise<string | undefined> {
  const commit = branch === null ? undefined : await repository.resolve(`refs/heads/${branch}`);
  return commit === undefined ? undefined : findReadme(repository, commit.tree);
}
