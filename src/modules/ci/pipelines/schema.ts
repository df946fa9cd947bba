import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  hash,
  integer,
  list,
  oneOf,
  optional,
  pathText,
  projectId,
  text,
} from "../../../domain/parameters.ts";
import { BasicUser, User } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { Commit } from "../../repositories/repositories/index.ts";
import { Runner, RunnerManagerOfJob } from "../runners/index.ts";
import { sources } from "./records.ts";
import { statuses } from "./status.ts";

const moment = () => Type.String({ format: "date-time" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const basics = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  source: Type.String(),
  created_at: moment(),
  updated_at: moment(),
  web_url: Type.String(),
};

/** The pipeline as its jobs show it. */
export const PipelineBasics = Type.Object(basics);

/** triggers-and-pipelines 3, "in list". */
export const ListedPipeline = Type.Object({ ...basics, name: orNull(Type.String()) }, { $id: "ListedPipeline" });

export const Pipeline = Type.Object(
  {
    ...basics,
    name: orNull(Type.String()),
    before_sha: Type.String(),
    tag: Type.Boolean(),
    yaml_errors: orNull(Type.String()),
    user: orNull(BasicUser),
    started_at: orNull(moment()),
    finished_at: orNull(moment()),
    committed_at: orNull(moment()),
    duration: orNull(Type.Integer()),
    queued_duration: orNull(Type.Integer()),
    coverage: orNull(Type.String()),
    detailed_status: Type.Object({
      icon: Type.String(),
      text: Type.String(),
      label: Type.String(),
      group: Type.String({ description: "kind of status, which decides the style of its badge" }),
      tooltip: Type.String(),
      has_details: Type.Boolean(),
      details_path: Type.String(),
      illustration: Type.Null(),
      favicon: Type.String(),
    }),
  },
  { $id: "Pipeline" },
);

export const PipelineVariable = Type.Object(
  { variable_type: Type.String(), key: Type.String(), value: Type.String(), raw: Type.Boolean() },
  { $id: "PipelineVariable" },
);

/** triggers-and-pipelines 4: what bridges and the lists of a runner show, too. */
const jobBasics = {
  id: Type.Integer(),
  status: Type.String(),
  stage: Type.String(),
  name: Type.String(),
  ref: Type.String(),
  tag: Type.Boolean(),
  coverage: orNull(Type.Number()),
  allow_failure: Type.Boolean(),
  created_at: moment(),
  started_at: orNull(moment()),
  finished_at: orNull(moment()),
  erased_at: orNull(moment()),
  duration: orNull(Type.Number()),
  queued_duration: orNull(Type.Number()),
  user: orNull(User),
  commit: Commit,
  pipeline: PipelineBasics,
  failure_reason: Type.Optional(Type.String()),
  web_url: Type.String(),
  project: Type.Object({ ci_job_token_scope_enabled: Type.Boolean() }),
};

const job = {
  ...jobBasics,
  artifacts: Type.Array(
    Type.Object({
      file_type: Type.String(),
      size: Type.Integer(),
      filename: Type.String(),
      file_format: Type.String(),
    }),
  ),
  artifacts_file: Type.Optional(Type.Object({ filename: Type.String(), size: Type.Integer() })),
  runner: orNull(Runner),
  runner_manager: orNull(RunnerManagerOfJob),
  artifacts_expire_at: orNull(moment()),
  archived: Type.Boolean(),
  tag_list: arrayOf(Type.String()),
};

/** triggers-and-pipelines 4. */
export const CiJob = Type.Object(job, { $id: "Job" });
export const JobBasics = Type.Object(jobBasics, { $id: "JobBasics" });
export const Bridge = Type.Object({ ...jobBasics, downstream_pipeline: orNull(ListedPipeline) }, { $id: "Bridge" });

export const JobNeeds = Type.Object(
  {
    job: Type.String({ description: "name of the job" }),
    needs: orNull(
      Type.Array(Type.String(), {
        description: "names of the jobs that must end first; null: all of the stages before",
      }),
    ),
  },
  { $id: "JobNeeds" },
);

const InProject = { id: projectId() };
export const JobsInPath = Type.Object(InProject);
export const JobInPath = Type.Object({ ...InProject, job_id: integer() });
export const CancelJob = Type.Object({
  ...InProject,
  job_id: integer(),
  force: optional(boolean({ description: "end a job that is canceling, for maintainers" })),
});
export const FileOfJob = Type.Object({ ...InProject, job_id: integer(), artifact_path: pathText() });
const OfRef = {
  ...InProject,
  ref_name: text({ description: "branch or tag" }),
  job: text({ description: "name of the job" }),
};
export const ArchiveOfRef = Type.Object(OfRef);
export const FileOfRef = Type.Object({ ...OfRef, artifact_path: pathText() });
export const RenamePipeline = Type.Object({
  ...InProject,
  pipeline_id: integer(),
  name: text(),
});
export const PipelineInPath = Type.Object({ ...InProject, pipeline_id: integer() });
export const LatestPipeline = Type.Object({
  ...InProject,
  ref: optional(text({ description: "branch or tag; the default branch unless said" })),
});
export const ListPipelines = Type.Object({
  ...InProject,
  scope: optional(oneOf(["running", "pending", "finished", "branches", "tags"])),
  status: optional(oneOf(statuses)),
  source: optional(oneOf(sources)),
  ref: optional(text()),
  sha: optional(text()),
  yaml_errors: optional(boolean({ description: "only those whose CI file has errors, or has none" })),
  username: optional(text({ description: "of whom they are" })),
  name: optional(text()),
  created_after: optional(dateTime()),
  created_before: optional(dateTime()),
  updated_after: optional(dateTime()),
  updated_before: optional(dateTime()),
  order_by: optional(oneOf(["id", "status", "ref", "updated_at", "user_id"], { description: "id by default" })),
  sort: optional(oneOf(["asc", "desc"], { description: "desc by default" })),
});
export type PipelineFilter = Omit<Static<typeof ListPipelines>, "id">;
export const ListPipelineJobs = Type.Object({
  ...InProject,
  pipeline_id: integer(),
  scope: optional(list(oneOf(statuses), { description: "statuses" })),
  include_retried: optional(boolean({ description: "those of which others were made, too; false" })),
});
export const PlayJob = Type.Object({
  ...InProject,
  job_id: integer(),
  job_variables_attributes: optional(
    list(hash({ key: text(), value: text({ maxLength: 10_000 }) }), { description: "variables of the job" }),
  ),
});
export const CreatePipeline = Type.Object({
  ...InProject,
  ref: text({ allowBlank: false, description: "branch or tag" }),
  variables: optional(
    list(
      hash({ key: text(), value: text({ maxLength: 10_000 }), variable_type: optional(oneOf(["env_var", "file"])) }),
    ),
  ),
  inputs: optional(
    Type.Record(Type.String(), Type.Unsafe<unknown>(Type.Any()), { description: "values of the CI file's inputs" }),
  ),
});
