import { Type } from "@sinclair/typebox";
import { boolean, float, integer, oneOf, optional, pathText, projectId, text } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number> | typeof BasicUser>(
  schema: T,
) => Type.Union([schema, Type.Null()]);
const time = () => Type.String({ format: "date-time" });

export const states = ["pending", "running", "success", "failed", "canceled", "skipped"] as const;

/** commits 7: a job of a pipeline, or what another system says. */
export const CommitStatus = Type.Object(
  {
    id: Type.Integer(),
    sha: Type.String(),
    ref: Type.String(),
    status: Type.String(),
    name: Type.String(),
    target_url: orNull(Type.String({ description: "page of the other system" })),
    description: orNull(Type.String()),
    created_at: time(),
    started_at: orNull(time()),
    finished_at: orNull(time()),
    allow_failure: Type.Boolean(),
    coverage: orNull(Type.Number()),
    pipeline_id: Type.Integer(),
    author: orNull(BasicUser),
  },
  { $id: "CommitStatus" },
);

const InPath = { id: projectId(), sha: text({ description: "commit, branch or tag" }) };

export const ListCommitStatuses = Type.Object({
  ...InPath,
  ref: optional(text({ description: "branch or tag of the pipeline" })),
  stage: optional(text()),
  name: optional(text()),
  pipeline_id: optional(integer()),
  all: optional(boolean({ description: "older ones of the same name in a pipeline, too" })),
  order_by: optional(oneOf(["id", "pipeline_id"], { description: "id by default" })),
  sort: optional(oneOf(["asc", "desc"], { description: "asc by default" })),
});

export const NewCommitStatus = Type.Object({
  ...InPath,
  state: oneOf(states),
  ref: optional(text({ maxLength: 255, description: "that of the newest pipeline without it, or the first branch" })),
  name: optional(text({ description: "default without it" })),
  context: optional(text({ description: "as name" })),
  target_url: optional(pathText({ description: "page of the other system" })),
  description: optional(text()),
  coverage: optional(float({ description: "percent" })),
  pipeline_id: optional(integer({ description: "pipeline of the commit; the newest without it" })),
});
