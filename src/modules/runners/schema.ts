import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { boolean, integer, list, oneOf, optional, text } from "../../domain/parameters.ts";
import { runnerAccessLevels, runnerTypes } from "./collection.ts";

const moment = () => Type.String({ format: "date-time" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** triggers-and-pipelines 5: the answer to who made a runner, and to the runner that asks whether its token is good. */
export const RunnerToken = Type.Object(
  { id: Type.Integer(), token: Type.String(), token_expires_at: Type.Null() },
  { $id: "RunnerToken" },
);

export const NewRunnerToken = Type.Object(
  { token: Type.String(), token_expires_at: Type.Null() },
  { $id: "NewRunnerToken" },
);

const basics = {
  id: Type.Integer(),
  description: orNull(Type.String()),
  ip_address: Type.String(),
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: Type.String(),
  name: orNull(Type.String()),
  online: orNull(Type.Boolean()),
  created_at: moment(),
  status: Type.String(),
};

export const Runner = Type.Object(basics, { $id: "Runner" });

/** A runner for who may change it. */
export const RunnerDetails = Type.Object(
  {
    ...basics,
    tag_list: Type.Array(Type.String()),
    run_untagged: Type.Boolean(),
    locked: Type.Boolean(),
    access_level: Type.String(),
    maximum_timeout: orNull(Type.Integer()),
    maintenance_note: orNull(Type.String()),
    contacted_at: orNull(moment()),
    projects: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        path: Type.String(),
        path_with_namespace: Type.String(),
        web_url: Type.String(),
      }),
    ),
    groups: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), web_url: Type.String() })),
  },
  { $id: "RunnerDetails" },
);

export const RunnerManager = Type.Object(
  {
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
  },
  { $id: "RunnerManager" },
);

const attributes = {
  description: optional(text({ maxLength: 1024 })),
  maintenance_note: optional(text({ maxLength: 1024 })),
  paused: optional(boolean({ description: "takes no jobs; false" })),
  locked: optional(boolean({ description: "only for the projects that it has; false" })),
  run_untagged: optional(boolean({ description: "takes jobs without tags, too; true" })),
  tag_list: optional(list(text(), { split: true, description: "it takes jobs whose tags are all among these" })),
  access_level: optional(oneOf(runnerAccessLevels, { description: "not_protected by default" })),
  maximum_timeout: optional(integer({ description: "seconds, 600 at least; that of the project unless said" })),
};

export const RunnerAttributes = Type.Object(attributes);
export const RunnerFilters = Type.Object({
  type: optional(oneOf(runnerTypes)),
  paused: optional(boolean()),
  tag_list: optional(list(text(), { split: true, description: "all of which it has" })),
});

export const CreateRunner = Type.Object({
  runner_type: oneOf(runnerTypes),
  group_id: optional(integer({ description: "of group_type" })),
  project_id: optional(integer({ description: "of project_type" })),
  ...attributes,
});
export type NewRunner = Static<typeof CreateRunner>;

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
});
