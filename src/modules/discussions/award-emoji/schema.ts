import { Type } from "@sinclair/typebox";
import { BasicUser } from "../../core/users/index.ts";

/** A reaction (issues-labels-milestones-epics 4). */
export const AwardEmoji = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    user: BasicUser,
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
    awardable_id: Type.Integer(),
    awardable_type: Type.String(),
    url: Type.Null(),
  },
  { $id: "AwardEmoji" },
);
