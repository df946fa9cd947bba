import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** From whom an archive is kept: `private` is for developers, `none` for the jobs of the pipeline alone. */
export const artifactAccesses = ["public", "private", "maintainer", "none"] as const;
export type ArtifactAccess = (typeof artifactAccesses)[number];

/** A file that a job has left: its archive, or a report. */
export const JobArtifactRecord = record({
  id: field.whole,
  job_id: field.whole,
  project_id: field.whole,
  /** `archive`, or what kind of report it is; one of each a job. */
  file_type: field.text,
  file_format: field.text,
  filename: field.text,
  /** Bytes. */
  size: field.whole,
  /** Hash of the blob. */
  blob: field.text,
  expires_at: field.nullable(field.moment),
  /** The variables of a dotenv report; left out for other files. */
  variables: field.optional(field.listOf(field.object({ key: field.text, value: field.text }))),
  /** Left out for a public one. */
  access: field.optional(field.oneOf(...artifactAccesses)),
});
export type JobArtifactRecord = RecordOf<typeof JobArtifactRecord>;

export const jobArtifacts = collection("job-artifacts", JobArtifactRecord, {
  indexes: { job_id: multi((artifact) => [artifact.job_id]) },
  blobsOf: (artifact) => [artifact.blob],
  secrets: { variables: { replace: [] } },
  references: { project_id: "projects" },
});
