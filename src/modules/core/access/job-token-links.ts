import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, unique } from "../../../store/index.ts";
import { holderKey, type SourceRef, sourceKey } from "./memberships.ts";

/**
 * A project whose jobs may reach another one, the source, or a group that lets the jobs of every project below it reach
 * the source (job-token-scope 1).
 */
export interface JobTokenLinkRecord {
  readonly id: number;
  readonly source_project_id: number;
  readonly target_type: SourceRef["type"];
  readonly target_id: number;
  readonly created_at: DateTime;
}

const targetOf = (link: JobTokenLinkRecord): SourceRef => ({ type: link.target_type, id: link.target_id });

export const jobTokenLinks = collection<JobTokenLinkRecord>()("job-token-links", {
  pair: unique((link) => holderKey(targetOf(link), link.source_project_id)),
  source_project_id: multi((link) => [link.source_project_id]),
  target: multi((link) => [sourceKey(targetOf(link))]),
});

/** The link of a source to a target, if it has one. */
export function jobTokenPair(sourceProjectId: number, target: SourceRef): string {
  return holderKey(target, sourceProjectId);
}
