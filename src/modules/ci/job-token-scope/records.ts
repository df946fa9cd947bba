import { holderKey, type SourceRef, sourceKey } from "../../../domain/source.ts";
import { collection, field, multi, type RecordOf, record, unique } from "../../../store/index.ts";

/**
 * A project whose jobs may reach another one, the source, or a group that lets the jobs of every project below it reach
 * the source (job-token-scope 1).
 */
export const JobTokenLinkRecord = record({
  id: field.whole,
  source_project_id: field.whole,
  target_type: field.oneOf("group", "project"),
  target_id: field.whole,
  created_at: field.moment,
});
export type JobTokenLinkRecord = RecordOf<typeof JobTokenLinkRecord>;

const targetOf = (link: JobTokenLinkRecord): SourceRef => ({ type: link.target_type, id: link.target_id });

export const jobTokenLinks = collection("job-token-links", JobTokenLinkRecord, {
  indexes: {
    pair: unique((link) => holderKey(targetOf(link), link.source_project_id)),
    source_project_id: multi((link) => [link.source_project_id]),
    target: multi((link) => [sourceKey(targetOf(link))]),
  },
  references: {
    source_project_id: "projects",
    target_id: { by: "target_type", of: { group: "groups", project: "projects" } },
  },
});

/** The link of a source to a target, if it has one. */
export function jobTokenPair(sourceProjectId: number, target: SourceRef): string {
  return holderKey(target, sourceProjectId);
}
