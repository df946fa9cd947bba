import type { Caller, JobTokenReach } from "../../domain/caller.ts";
import { forbidden } from "../../domain/failure.ts";
import type { Store } from "../../store/index.ts";
import type { Context } from "../context.ts";
import { type ProjectRecord, projectSettingsOf, projects, selfAndAncestors } from "../namespaces/index.ts";
import { jobTokenGroupLinks, jobTokenProjectLinks, linkKey } from "./job-token-links.ts";

/** Whether a project lets the jobs of another one in, whatever their user may do there (job-token-scope 5, in its order). */
export function letsJobsIn(
  store: Store,
  project: ProjectRecord,
  fromProjectId: number,
  asksFor: JobTokenReach,
): boolean {
  if (project.id === fromProjectId || !projectSettingsOf(project).inbound_job_token_scope_enabled) return true;
  const listed = store.of(jobTokenProjectLinks).by.pair.find(linkKey(project.id, fromProjectId));
  if (listed !== undefined) return true;
  const from = store.of(projects).get(fromProjectId);
  const groups = store.of(jobTokenGroupLinks);
  const isBelowListed = (namespaceId: number) =>
    selfAndAncestors(store, namespaceId).some(({ id }) => groups.by.pair.find(linkKey(project.id, id)) !== undefined);
  if (groups.by.source_project_id.find(project.id).size > 0 && from !== undefined && isBelowListed(from.namespace_id)) {
    return true;
  }
  return project.visibility !== "private" && isOpenToAll(project, asksFor);
}

/** Whether everybody who sees the project has this part of it. */
function isOpenToAll(project: ProjectRecord, asksFor: JobTokenReach): boolean {
  const settings = projectSettingsOf(project);
  if (asksFor === "job") return true;
  if (asksFor === "packages") return settings.packages_enabled;
  const level = settings[`${asksFor}_access_level`];
  return level === "enabled" || level === "public";
}

/** Throws 403 for a job whose project is not let in, or whose user does not see the project. */
export function refuseJob({ store, access }: Context, { user, job }: Caller, project: ProjectRecord): void {
  if (job === undefined) return;
  if (letsJobsIn(store, project, job.projectId, job.asksFor) && access.seesProject(user, project)) return;
  const from = store.of(projects).get(job.projectId)?.path;
  throw forbidden(`Authentication by CI/CD job token not allowed from ${from} to ${project.path}.`);
}
