import { Type } from "@sinclair/typebox";

/** users-and-auth 13. */
export const UserCounts = Type.Object(
  {
    merge_requests: Type.Integer(),
    assigned_issues: Type.Integer(),
    assigned_merge_requests: Type.Integer(),
    review_requested_merge_requests: Type.Integer(),
    todos: Type.Integer(),
  },
  { $id: "UserCounts" },
);
