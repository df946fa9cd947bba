import { type TSchema, Type } from "@sinclair/typebox";
import { boolean, optional, projectId, text } from "../../../../domain/parameters.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A file that was worked into a CI file. */
const LintInclude = Type.Object({
  type: Type.String(),
  location: Type.String(),
  blob: Type.String(),
  raw: orNull(Type.String()),
  extra: Type.Object({ project: Type.Optional(Type.String()), ref: Type.Optional(orNull(Type.String())) }),
  context_project: Type.String(),
  context_sha: Type.String(),
});

const LintJob = Type.Object({
  name: Type.String(),
  stage: Type.String(),
  before_script: Type.Array(Type.String()),
  script: Type.Array(Type.String()),
  after_script: Type.Array(Type.String()),
  tag_list: Type.Array(Type.String()),
  only: Type.Optional(Type.Unknown()),
  except: Type.Optional(Type.Unknown()),
  environment: orNull(Type.String()),
  when: Type.String(),
  allow_failure: Type.Boolean(),
  needs: Type.Optional(Type.Unknown()),
});

/** triggers-and-pipelines 5, "lint". */
export const Lint = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  merged_yaml: orNull(Type.String()),
  includes: orNull(Type.Array(LintInclude)),
  jobs: Type.Optional(Type.Array(LintJob)),
});

const dry_run = optional(boolean({ description: "plan a pipeline instead of reading the file alone; false" }));
const include_jobs = optional(boolean({ description: "list the jobs, too; false" }));
const contentLengthMax = 1024 * 1024;

export const LintProject = Type.Object({
  id: projectId(),
  sha: optional(text({ description: "as `content_ref`; deprecated" })),
  content_ref: optional(text({ description: "commit, branch or tag of the CI file; the default branch without it" })),
  dry_run,
  include_jobs,
  ref: optional(text({ description: "as `dry_run_ref`; deprecated" })),
  dry_run_ref: optional(text({ description: "branch or tag of the planned pipeline; the default branch without it" })),
});
export const LintContent = Type.Object({
  id: projectId(),
  content: text({ description: "the CI file", maxLength: contentLengthMax }),
  dry_run,
  include_jobs,
  ref: optional(text({ description: "branch or tag of the planned pipeline; the default branch without it" })),
});
