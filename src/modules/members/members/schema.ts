import { Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  searchText,
  text,
} from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

/** members-and-access 4.2. Optional fields depend on edition, caller and parameters. */
export const Member = Type.Object(
  {
    ...BasicUser.properties,
    access_level: Type.Integer(),
    created_at: Type.String({ format: "date-time" }),
    created_by: Type.Optional(BasicUser),
    expires_at: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    membership_state: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    group_saml_identity: Type.Optional(
      Type.Union([
        Type.Object({ extern_uid: Type.String(), provider: Type.String(), saml_provider_id: Type.Integer() }),
        Type.Null(),
      ]),
    ),
    is_using_seat: Type.Optional(Type.Boolean()),
  },
  { $id: "Member" },
);

/** The answer to adding several users: a reason for each who could not be added. */
export const AddedMembers = Type.Object(
  {
    status: Type.Union([Type.Literal("success"), Type.Literal("error")]),
    message: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.String())])),
  },
  { $id: "AddedMembers" },
);

const userIds = (description: string) => optional(list(integer(), { split: true, description }));
const filters = {
  query: optional(searchText("part of name or username, or the whole public e-mail address")),
  user_ids: userIds("only these"),
  show_seat_info: optional(boolean({ description: "adds is_using_seat" })),
};

export const ListMembers = Type.Object({ ...filters, skip_users: userIds("all but these") });

export const memberStates = ["awaiting", "active"] as const;

export const ListAllMembers = Type.Object({
  ...filters,
  state: optional(oneOf(memberStates, { description: "paid tiers" })),
});

/** A user in the path; what is no number is 400. */
export const userInPath = () => integer({ saturate: true, description: "user id" });

const expiry = (description: string) => optional(nullable(dateTime({ description })));
const memberRole = () => optional(nullable(integer({ description: "ultimate" })));

/** Values of one text; fewer may be added at once. */
const severalMax = 1000;
/** Room for more than a hundred of the longest names: lists of more than a hundred get an error of their own. */
const severalLengthMax = 65_536;

export const AddMember = Type.Object({
  access_level: integer(),
  user_id: optional(
    text({
      maxItems: severalMax,
      maxLength: severalLengthMax,
      pattern: "^\\s*-?\\d+\\s*(,\\s*-?\\d+\\s*)*,?\\s*$",
      description: "id, or several with commas",
    }),
  ),
  username: optional(
    text({ maxItems: severalMax, maxLength: severalLengthMax, description: "name, or several with commas" }),
  ),
  expires_at: expiry("YYYY-MM-DD; a datetime is cut to its date"),
  member_role_id: memberRole(),
  invite_source: optional(text()),
  tasks_to_be_done: optional(list(text(), { split: true })),
  tasks_project_id: optional(nullable(integer())),
});

export const EditMember = Type.Object({
  user_id: userInPath(),
  access_level: integer(),
  expires_at: expiry("absent: as it is; empty or null: never"),
  member_role_id: memberRole(),
});

export const RemoveMember = Type.Object({
  user_id: userInPath(),
  skip_subresources: optional(boolean({ description: "leaves memberships in subgroups and projects" })),
  unassign_issuables: optional(boolean({ description: "takes the user off issues and merge requests" })),
});

/** `GET /users/:id/memberships` (users-and-auth 14). */
export const UserMembership = Type.Object(
  {
    source_id: Type.Integer(),
    source_name: Type.String(),
    source_type: Type.Union([Type.Literal("Project"), Type.Literal("Namespace")]),
    access_level: Type.Integer(),
  },
  { $id: "UserMembership" },
);
