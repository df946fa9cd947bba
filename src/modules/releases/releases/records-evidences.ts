import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** A copy of a release as it was at some time (releases 5). */
export const ReleaseEvidenceRecord = record({
  id: field.whole,
  release_id: field.whole,
  project_id: field.whole,
  /** JSON. */
  summary: field.text,
  /** SHA-256 of the summary, in hexadecimal digits. */
  sha: field.text,
  collected_at: field.moment,
});
export type ReleaseEvidenceRecord = RecordOf<typeof ReleaseEvidenceRecord>;

export const releaseEvidences = collection("release-evidences", ReleaseEvidenceRecord, {
  indexes: {
    release_id: multi(({ release_id }) => [release_id]),
    project_id: multi(({ project_id }) => [project_id]),
  },
  references: { release_id: "releases", project_id: "projects" },
});
