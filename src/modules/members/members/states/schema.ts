import { Type } from "@sinclair/typebox";
import { integer, oneOf } from "../../../../domain/parameters.ts";
import { memberStates, userInPath } from "../schema.ts";

/** members-and-access 6: a member who waits for approval. `id` is that of the membership. */
export const PendingMember = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    username: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    web_url: Type.String(),
    avatar_url: Type.String(),
    approved: Type.Boolean(),
    invited: Type.Boolean(),
  },
  { $id: "PendingMember" },
);

export const SetMemberState = Type.Object({ user_id: userInPath(), state: oneOf(memberStates) });

export const MemberStateSet = Type.Object({ success: Type.Boolean() });

export const PendingMemberInPath = Type.Object({
  member_id: integer({ saturate: true, description: "id of the membership" }),
});
