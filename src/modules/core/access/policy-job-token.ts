import type { Caller, CallerJob, JobTokenReach } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";
import { jobTokenLinks, jobTokenPair } from "../../ci/job-token-scope/records.ts";
import {
  type ProjectRecord,
  projectSettingOf,
  projectSettingsOf,
  projects,
} from "../../groups-and-projects/projects/records.ts";
import { selfAndAncestors } from "../namespaces/index.ts";

/** Whether a project lets the jobs of another one in, whatever their user may do there (job-token-scope 5, in its order). */
export function isJobTokenAllowed(
  store: Store,
  project: ProjectRecord,
  fromProjectId: number,
  { asksFor, isReading }: Pick<CallerJob, "asksFor" | "isReading">,
): boolean {
  if (project.id === fromProjectId || !projectSettingOf(project, "inbound_job_token_scope_enabled")) return true;
  if (isListed(store, project, fromProjectId)) return true;
  // Open to all is what they may read, not what this job's user may write there.
  return isReading && project.visibility !== "private" && isOpenToAll(project, asksFor);
}

/** Whether a project, or a group above it, is on the lists of another one. */
function isListed(store: Store, project: ProjectRecord, fromProjectId: number): boolean {
  const { pair, source_project_id } = store.of(jobTokenLinks).by;
  if (source_project_id.find(project.id).size === 0) return false;
  if (pair.find(jobTokenPair(project.id, { type: "project", id: fromProjectId })) !== undefined) return true;
  const from = store.of(projects).get(fromProjectId);
  const above = from === undefined ? [] : selfAndAncestors(store, from.namespace_id);
  return above.some(({ id }) => pair.find(jobTokenPair(project.id, { type: "group", id })) !== undefined);
}

/** Whether all users who see the project also see this part of it. */
function isOpenToAll(project: ProjectRecord, asksFor: JobTokenReach): boolean {
  const settings = projectSettingsOf(project);
  if (asksFor === "job") return true;
  if (asksFor === "packages") return settings.packages_enabled;
  const level = settings[`${asksFor}_access_level`];
  return level === "enabled" || level === "public";
}

/** Throws 403 for a job whose project is not on the allowlist of a project that its user sees. */
export function requireAllowedJob(store: Store, { job }: Caller, project: ProjectRecord): void {
  if (job === undefined || isJobTokenAllowed(store, project, job.projectId, job)) return;
  const from = store.of(projects).get(job.projectId)?.path;
  throw forbidden(`Authentication by CI/CD job token not allowed from ${from} to ${project.path}.`);
}
