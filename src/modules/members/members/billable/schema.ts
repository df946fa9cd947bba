import { Type } from "@sinclair/typebox";
import { oneOf, optional, searchText } from "../../../../domain/parameters.ts";
import { BasicUser } from "../../../core/users/index.ts";
import { userInPath } from "../schema.ts";

const nullableText = (options: object = {}) => Type.Union([Type.String(options), Type.Null()]);

/** members-and-access 6. */
export const BillableMember = Type.Object(
  {
    ...BasicUser.properties,
    email: nullableText(),
    last_activity_on: nullableText({ format: "date" }),
    membership_type: Type.String(),
    removable: Type.Boolean(),
    created_at: nullableText({ format: "date-time" }),
    is_last_owner: Type.Boolean(),
    last_login_at: nullableText({ format: "date-time" }),
  },
  { $id: "BillableMember" },
);

/** One membership of a user who takes a seat. */
export const BillableMembership = Type.Object(
  {
    id: Type.Integer(),
    source_id: Type.Integer(),
    source_full_name: Type.String(),
    source_members_url: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    expires_at: nullableText({ format: "date" }),
    access_level: Type.Object({ string_value: Type.String(), integer_value: Type.Integer() }),
  },
  { $id: "BillableMembership" },
);

const billableSorts = [
  "access_level_asc",
  "access_level_desc",
  "last_joined",
  "name_asc",
  "name_desc",
  "oldest_joined",
  "oldest_sign_in",
  "recent_sign_in",
  "last_activity_on_asc",
  "last_activity_on_desc",
] as const;

export const ListBillableMembers = Type.Object({
  search: optional(searchText("part of name or username, or the whole public e-mail address")),
  sort: optional(oneOf(billableSorts)),
});

export const OneBillableMember = Type.Object({ user_id: userInPath() });
