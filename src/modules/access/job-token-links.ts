import type { DateTime } from "../../domain/datetime.ts";
import { collection, multi, unique } from "../../store/index.ts";

/** A project whose jobs may reach another one, the source (job-token-scope 1). */
export interface JobTokenProjectLinkRecord {
  readonly id: number;
  readonly source_project_id: number;
  readonly target_project_id: number;
  readonly created_at: DateTime;
}

/** A group whose projects' jobs, at any depth, may reach a project. */
export interface JobTokenGroupLinkRecord {
  readonly id: number;
  readonly source_project_id: number;
  readonly target_group_id: number;
  readonly created_at: DateTime;
}

export const jobTokenProjectLinks = collection<JobTokenProjectLinkRecord>()("job-token-project-links", {
  pair: unique((link) => linkKey(link.source_project_id, link.target_project_id)),
  source_project_id: multi((link) => [link.source_project_id]),
  target_project_id: multi((link) => [link.target_project_id]),
});

export const jobTokenGroupLinks = collection<JobTokenGroupLinkRecord>()("job-token-group-links", {
  pair: unique((link) => linkKey(link.source_project_id, link.target_group_id)),
  source_project_id: multi((link) => [link.source_project_id]),
  target_group_id: multi((link) => [link.target_group_id]),
});

/** What makes one of a source and a target. */
export function linkKey(sourceProjectId: number, targetId: number): string {
  return `${sourceProjectId} ${targetId}`;
}
