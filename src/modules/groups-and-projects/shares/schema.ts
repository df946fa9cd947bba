import { Type } from "@sinclair/typebox";
import { dateTime, integer, list, nullable, oneOf, optional, searchText } from "../../../domain/parameters.ts";
import { visibilities } from "../../../domain/visibility.ts";

/** members-and-access 5: what sharing a project answers. */
export const GroupLink = Type.Object(
  {
    id: Type.Integer(),
    project_id: Type.Integer(),
    group_id: Type.Integer(),
    group_access: Type.Integer(),
    expires_at: Type.Union([Type.String({ format: "date" }), Type.Null()]),
  },
  { $id: "GroupLink" },
);

const levels = [0, 5, 10, 15, 20, 30, 40, 50] as const;

export const ShareSource = Type.Object({
  group_id: integer({ saturate: true, description: "the group that gets access" }),
  group_access: oneOf(levels),
  expires_at: optional(nullable(dateTime({ description: "YYYY-MM-DD" }))),
  member_role_id: optional(nullable(integer({ description: "ultimate" }))),
});

export const InvitedGroup = Type.Object({ group_id: integer({ saturate: true }) });

const groupFilters = {
  search: optional(searchText("part of name or path")),
  min_access_level: optional(oneOf(levels, { description: "in which the caller has at least this level" })),
};

export const ListInvitedGroups = Type.Object({
  relation: optional(list(oneOf(["direct", "inherited"]), { split: true })),
  ...groupFilters,
});

export const ListSharedGroups = Type.Object({
  ...groupFilters,
  skip_groups: optional(list(integer(), { split: true })),
  visibility: optional(oneOf(visibilities)),
  order_by: optional(oneOf(["name", "path", "id", "similarity"])),
  sort: optional(oneOf(["asc", "desc"])),
});
