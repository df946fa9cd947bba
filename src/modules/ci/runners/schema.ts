import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { boolean, integer, list, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { runnerAccessLevels, runnerTypes } from "./records.ts";
import { runnerStatuses } from "./status.ts";

const moment = () => Type.String({ format: "date-time" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** triggers-and-pipelines 5: the answer to the creator of a runner, and to a runner that verifies its token. */
export const RunnerToken = Type.Object(
  { id: Type.Integer(), token: Type.String(), token_expires_at: Type.Null() },
  { $id: "RunnerToken" },
);

export const NewRunnerToken = Type.Object(
  { token: Type.String(), token_expires_at: Type.Null() },
  { $id: "NewRunnerToken" },
);

const jobExecutionStatus = () => Type.String({ description: "active while it runs a job, else idle" });

const basics = {
  id: Type.Integer(),
  description: orNull(Type.String()),
  ip_address: orNull(Type.String()),
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: Type.String(),
  name: orNull(Type.String()),
  online: orNull(Type.Boolean()),
  created_by: Type.Optional(BasicUser),
  created_at: moment(),
  status: Type.String({ description: "paused for one that takes no jobs, unless it is stale or was never there" }),
  job_execution_status: jobExecutionStatus(),
};

export const Runner = Type.Object(basics, { $id: "Runner" });

/** The deprecated names of project runners and of instance runners. */
const formerTypes = ["specific", "shared"] as const;
const filterStatuses = [...runnerStatuses, "active", "paused"] as const;

/** A runner with what it serves. */
export const RunnerDetails = Type.Object(
  {
    ...basics,
    tag_list: arrayOf(Type.String()),
    run_untagged: Type.Boolean(),
    locked: Type.Boolean(),
    access_level: Type.String(),
    maximum_timeout: orNull(Type.Integer()),
    maintenance_note: orNull(Type.String()),
    contacted_at: orNull(moment()),
    version: orNull(Type.String()),
    revision: orNull(Type.String()),
    platform: orNull(Type.String()),
    architecture: orNull(Type.String()),
    projects: Type.Array(
      Type.Object({
        id: Type.Integer(),
        description: orNull(Type.String()),
        name: Type.String(),
        name_with_namespace: Type.String(),
        path: Type.String(),
        path_with_namespace: Type.String(),
        created_at: moment(),
        web_url: Type.String(),
      }),
    ),
    groups: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), web_url: Type.String() })),
  },
  { $id: "RunnerDetails" },
);

const manager = {
  id: Type.Integer(),
  system_id: Type.String(),
  version: Type.String(),
  revision: Type.String(),
  platform: Type.String(),
  architecture: Type.String(),
  created_at: moment(),
  contacted_at: moment(),
  ip_address: Type.String(),
  status: Type.String(),
  job_execution_status: jobExecutionStatus(),
};

export const RunnerManager = Type.Object(manager, { $id: "RunnerManager" });

const ofSeen = { description: "null for those who may not see the runner" };

/** The machine in a job, which more people see than see the runner. */
export const RunnerManagerOfJob = Type.Object(
  {
    ...manager,
    system_id: Type.Union([Type.String(), Type.Null()], ofSeen),
    ip_address: Type.Union([Type.String(), Type.Null()], ofSeen),
  },
  { $id: "RunnerManagerOfJob" },
);

/** The facts of a runner about itself; those that are no texts are left alone. */
export const runnerInfo = () => Type.Record(Type.String(), Type.Unsafe<unknown>(Type.Any()));

const note = () => text({ maxLength: 1024 });
const timeout = () => integer({ description: "seconds, 600 at least; that of the project unless said" });

const attributes = {
  description: optional(note()),
  maintenance_note: optional(note()),
  paused: optional(boolean({ description: "takes no jobs; false" })),
  locked: optional(boolean({ description: "only for the projects that it has; false" })),
  run_untagged: optional(boolean({ description: "takes jobs without tags, too; true" })),
  tag_list: optional(list(text(), { split: true, description: "it takes jobs whose tags are all among these" })),
  access_level: optional(oneOf(runnerAccessLevels, { description: "not_protected by default" })),
  maximum_timeout: optional(timeout()),
};

export const SentAttributes = Type.Object(attributes);
/** `null` clears what a runner can do without. */
export const RunnerAttributes = Type.Object({
  ...attributes,
  description: optional(nullable(note())),
  maintenance_note: optional(nullable(note())),
  maximum_timeout: optional(nullable(timeout())),
  active: optional(boolean({ description: "the opposite of paused", deprecated: true })),
});
export const RunnerFilters = Type.Object({
  scope: optional(
    oneOf([...formerTypes, ...runnerTypes, ...filterStatuses], { description: "type or status", deprecated: true }),
  ),
  type: optional(oneOf(runnerTypes)),
  status: optional(
    oneOf(filterStatuses, { description: "online: heard of in the last two hours; stale: not for a week" }),
  ),
  paused: optional(boolean({ description: "only those that take no jobs, or only those that do" })),
  version_prefix: optional(text({ pattern: "^[\\d+.]+", description: "of a machine of the runner" })),
  tag_list: optional(list(text(), { split: true, description: "all of which it has" })),
});

export const CreateRunner = Type.Object({
  runner_type: oneOf(runnerTypes),
  group_id: optional(integer({ description: "of group_type" })),
  project_id: optional(integer({ description: "of project_type" })),
  ...attributes,
});
export type NewRunner = Static<typeof CreateRunner>;

export const RegisterRunner = Type.Object({
  token: text({ description: "registration token of the instance, a group or a project" }),
  ...attributes,
  active: optional(boolean({ description: "the opposite of paused", deprecated: true })),
  maintainer_note: optional(text({ maxLength: 1024, description: "maintenance_note", deprecated: true })),
  info: optional(runnerInfo()),
});

/** The token of a runner is its credential; no other is looked at. */
const token = text({ description: "token of the runner" });
export const TokenOfRunner = Type.Object({ token });
export const ManagerOfRunner = Type.Object({
  token,
  system_id: text({ allowBlank: false, description: "the runner's name for the machine" }),
});
export const VerifyRunner = Type.Object({
  token,
  system_id: optional(text({ maxLength: 255, description: "the runner's name for the machine that it is on" })),
  info: optional(runnerInfo()),
});
