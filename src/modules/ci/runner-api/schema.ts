import { type TSchema, Type } from "@sinclair/typebox";
import { boolean, idInPath, integer, oneOf, optional, text, upload } from "../../../domain/parameters.ts";
import { artifactTypes, formats } from "../job-artifacts/index.ts";
import { artifactAccesses } from "../job-artifacts/records.ts";
import { runnerInfo } from "../runners/index.ts";

const moment = () => Type.String({ format: "date-time" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const texts = () => Type.Array(Type.String());

const executorOptions = () => Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

const image = {
  name: Type.String(),
  entrypoint: orNull(texts()),
  ports: Type.Array(Type.Unknown()),
  pull_policy: orNull(texts()),
  executor_opts: Type.Object({
    docker: Type.Optional(executorOptions()),
    kubernetes: Type.Optional(executorOptions()),
  }),
};

/** triggers-and-pipelines 5, "payload". Timeouts are seconds. */
export const JobPayload = Type.Object(
  {
    id: Type.Integer(),
    token: Type.String({ description: "token of the job" }),
    allow_git_fetch: Type.Boolean(),
    job_info: Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      stage: Type.String(),
      project_id: Type.Integer(),
      project_name: Type.String(),
      project_full_path: Type.String(),
      pipeline_id: Type.Integer(),
      namespace_id: Type.Integer(),
      root_namespace_id: Type.Integer({ description: "id of the top-level namespace" }),
      user_id: Type.Integer(),
      time_in_queue_seconds: Type.Integer(),
      project_jobs_running_on_instance_runners_count: Type.String({
        description: "up to 5; +Inf where the runner is not of the instance",
      }),
      timestamps: Type.Object({ created_at: moment(), queued_at: orNull(moment()), started_at: orNull(moment()) }),
    }),
    git_info: Type.Object({
      repo_url: Type.String(),
      ref: Type.String(),
      sha: Type.String(),
      before_sha: Type.String(),
      ref_type: Type.String(),
      refspecs: texts(),
      depth: Type.Integer(),
      repo_object_format: Type.String(),
      protected: Type.Boolean(),
    }),
    runner_info: Type.Object({ timeout: Type.Integer(), runner_session_url: Type.Null() }),
    variables: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Type.String(),
        public: Type.Boolean(),
        masked: Type.Boolean(),
        file: Type.Optional(Type.Literal(true)),
        raw: Type.Optional(Type.Literal(true)),
      }),
    ),
    steps: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          script: texts(),
          timeout: Type.Integer(),
          when: Type.String(),
          allow_failure: Type.Boolean(),
        }),
      ),
    ),
    run: Type.Optional(Type.String({ description: "JSON of the job's `run:`, in the place of steps" })),
    hooks: Type.Array(Type.Object({ name: Type.String(), script: texts() }), {
      description: "scripts that the runner starts before the steps",
    }),
    image: orNull(Type.Object(image)),
    services: Type.Array(
      Type.Object({
        ...image,
        alias: orNull(Type.String()),
        command: orNull(texts()),
        variables: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
      }),
    ),
    artifacts: Type.Array(
      Type.Object({
        name: Type.Optional(orNull(Type.String())),
        untracked: Type.Optional(Type.Boolean()),
        paths: texts(),
        exclude: Type.Optional(texts()),
        when: Type.String(),
        expire_in: Type.Optional(orNull(Type.String())),
        artifact_type: Type.String(),
        artifact_format: Type.String(),
      }),
    ),
    cache: Type.Array(
      Type.Object({
        key: Type.String(),
        untracked: Type.Boolean(),
        paths: texts(),
        policy: Type.String(),
        when: Type.String(),
        fallback_keys: texts(),
      }),
    ),
    credentials: Type.Array(
      Type.Object({ type: Type.String(), url: Type.String(), username: Type.String(), password: Type.String() }),
    ),
    dependencies: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        token: Type.String({ description: "token of the job" }),
        artifacts_file: Type.Optional(Type.Object({ filename: Type.String(), size: Type.Integer() })),
      }),
    ),
    secrets: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "secrets of other services, by the names of variables",
      }),
    ),
    features: Type.Object({ trace_sections: Type.Boolean(), token_mask_prefixes: texts(), failure_reasons: texts() }),
  },
  { $id: "JobPayload" },
);

const anything = () => Type.Unsafe<unknown>(Type.Any());

export const RequestJob = Type.Object({
  token: text({ description: "token of the runner" }),
  system_id: optional(text({ maxLength: 255, description: "the runner's name for the machine that it is on" })),
  last_update: optional(
    text({
      description: "X-GitLab-Last-Update of the answer before: while it still holds, the answer may take 50 seconds",
    }),
  ),
  info: optional(runnerInfo()),
  job_age: optional(
    integer({ minimum: 0, maximum: 2_147_483_647, description: "seconds that a job must have waited" }),
  ),
});

const ofJob = {
  id: idInPath("job id"),
  token: optional(text({ description: "token of the job, where it is not in JOB-TOKEN" })),
};
export const PatchTrace = Type.Object({
  ...ofJob,
  debug_trace: optional(
    boolean({ description: "whether the log shows the variables of the job: it is for developers" }),
  ),
});
export const JobArtifact = Type.Object(ofJob);
export const UploadArtifact = Type.Object({
  ...ofJob,
  file: upload(),
  artifact_type: optional(oneOf(artifactTypes, { description: "archive by default, or the kind of a report" })),
  artifact_format: optional(oneOf(formats, { description: "zip by default" })),
  expire_in: optional(text({ description: "1 week; for ever unless said" })),
  accessibility: optional(oneOf(artifactAccesses, { description: "default: what the CI file says, else public" })),
});
export const UpdateJob = Type.Object({
  ...ofJob,
  state: optional(text({ description: "success or failed; running says that it goes on" })),
  failure_reason: optional(text()),
  exit_code: optional(integer()),
  output: optional(Type.Record(Type.String(), anything(), { description: "bytesize: of the whole log" })),
});
