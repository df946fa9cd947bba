import { Type } from "@sinclair/typebox";
import { boolean, groupId, integer, optional, searchText, text } from "../../../domain/parameters.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const nullableInteger = () => Type.Union([Type.Integer(), Type.Null()]);

/** groups-and-projects 4. Optional fields are for owners and administrators, the last ones in paid tiers. */
export const Namespace = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.Union([Type.Literal("user"), Type.Literal("group")]),
    full_path: Type.String(),
    parent_id: nullableInteger(),
    avatar_url: nullableText(),
    web_url: Type.String(),
    members_count_with_descendants: Type.Optional(Type.Integer()),
    root_repository_size: Type.Optional(Type.Integer()),
    projects_count: Type.Optional(Type.Integer()),
    billable_members_count: Type.Optional(Type.Integer()),
    plan: Type.Optional(Type.String()),
    end_of_subscription: Type.Optional(Type.Null()),
    trial: Type.Optional(Type.Boolean()),
    trial_ends_on: Type.Optional(Type.Null()),
    seats_in_use: Type.Optional(Type.Integer()),
    max_seats_used: Type.Optional(Type.Integer()),
    max_seats_used_changed_at: Type.Optional(Type.Null()),
    additional_purchased_storage_size: Type.Optional(Type.Integer()),
    additional_purchased_storage_ends_on: Type.Optional(Type.Null()),
    shared_runners_minutes_limit: Type.Optional(nullableInteger()),
    extra_shared_runners_minutes_limit: Type.Optional(nullableInteger()),
  },
  { $id: "Namespace" },
);

export const NamespaceExistence = Type.Object(
  { exists: Type.Boolean(), suggests: Type.Array(Type.String()) },
  { $id: "NamespaceExistence" },
);

export const ListNamespaces = Type.Object({
  search: optional(searchText("part of name or full path")),
  owned_only: optional(boolean({ description: "true: only those that one owns; without effect for administrators" })),
  top_level_only: optional(boolean()),
});

export const GetNamespace = Type.Object({ id: groupId() });

export const NamespaceExists = Type.Object({
  path: text({ description: "one segment of a path" }),
  parent_id: optional(integer({ description: "the group to look in; the top level by default" })),
});
