import { Type } from "@sinclair/typebox";
import { optional, text } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { MergeRequestInPath } from "../merge-requests/index.ts";

const DateTime = Type.String({ format: "date-time" });

/** merge-requests 11; the fields from `id` on are premium. */
export const Approvals = Type.Object(
  {
    user_has_approved: Type.Boolean({ description: "whether the caller has approved it" }),
    user_can_approve: Type.Boolean({ description: "whether the caller may approve it now" }),
    approved: Type.Boolean({ description: "whether it has the approvals that it needs; community: any" }),
    approved_by: arrayOf(
      Type.Object({ user: BasicUser, approved_at: Type.String({ ...DateTime, description: "time of the approval" }) }),
      { description: "approvals, the oldest first" },
    ),
    id: Type.Optional(Type.Integer()),
    iid: Type.Optional(Type.Integer()),
    project_id: Type.Optional(Type.Integer()),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    state: Type.Optional(Type.String()),
    created_at: Type.Optional(DateTime),
    updated_at: Type.Optional(DateTime),
    merge_status: Type.Optional(Type.String({ description: "whether the branches merge without conflicts" })),
    approvals_required: Type.Optional(Type.Integer({ description: "approvals that it needs" })),
    approvals_left: Type.Optional(Type.Integer({ description: "approvals that it lacks" })),
  },
  { $id: "MergeRequestApprovals" },
);

export const Approve = Type.Object({
  ...MergeRequestInPath.properties,
  sha: optional(text({ emptyIsAbsent: true, description: "commit that the source branch has to be at" })),
});
