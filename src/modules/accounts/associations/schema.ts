import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { idInPath, integer, oneOf, optional } from "../../../domain/parameters.ts";

/** users-and-auth 14. */
export const AssociationsCount = Type.Object(
  {
    groups_count: Type.Integer(),
    projects_count: Type.Integer(),
    issues_count: Type.Integer(),
    merge_requests_count: Type.Integer(),
  },
  { $id: "AssociationsCount" },
);

const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const AssociatedGroup = Type.Object({
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  parent_id: orNull(Type.Integer()),
  organization_id: Type.Integer(),
  access_levels: Type.Integer(),
  visibility: Type.String(),
});

const AssociatedProject = Type.Object({
  id: Type.Integer(),
  description: orNull(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: Type.String({ format: "date-time" }),
  access_levels: Type.Object({
    project_access_level: orNull(Type.Integer()),
    group_access_level: orNull(Type.Integer()),
  }),
  visibility: Type.String(),
  web_url: Type.String(),
  namespace: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.String(),
    full_path: Type.String(),
    parent_id: orNull(Type.Integer()),
    web_url: Type.String(),
  }),
});

/** users-and-auth 17. */
export const TokenAssociations = Type.Object(
  { groups: Type.Array(AssociatedGroup), projects: Type.Array(AssociatedProject) },
  { $id: "TokenAssociations" },
);

export const CountAssociations = Type.Object({ id: idInPath("user id") });

export const ListTokenAssociations = Type.Object({
  min_access_level: optional(
    oneOf(
      Object.values(accessLevels).filter((level) => level > 0),
      { description: "the least that the token's user has there" },
    ),
  ),
  page: optional(integer({ saturate: true, description: "page of both lists, from 1" })),
  per_page: optional(integer({ saturate: true, except: [0], description: "at most 100 of each; 20 by default" })),
});
