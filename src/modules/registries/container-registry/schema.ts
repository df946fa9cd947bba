import { type Static, Type } from "@sinclair/typebox";
import { boolean, groupId, integer, optional, projectId, text } from "../../../domain/parameters.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const dateTime = () => Type.String({ format: "date-time" });

export const ContainerTag = Type.Object(
  { name: Type.String(), path: Type.String(), location: Type.String() },
  { $id: "ContainerTag" },
);

/** triggers-and-pipelines 6. */
export const ContainerTagDetails = Type.Object(
  {
    ...ContainerTag.properties,
    revision: Type.String(),
    short_revision: Type.String(),
    digest: Type.String(),
    created_at: dateTime(),
    total_size: Type.Integer(),
  },
  { $id: "ContainerTagDetails" },
);

export const ContainerRepository = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    project_id: Type.Integer(),
    location: Type.String(),
    created_at: dateTime(),
    cleanup_policy_started_at: orNull(dateTime()),
    tags_count: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(ContainerTag)),
    delete_api_path: Type.Optional(Type.String()),
    size: Type.Optional(Type.Integer()),
    status: orNull(Type.String()),
  },
  { $id: "ContainerRepository" },
);

const Extras = {
  tags: optional(boolean({ description: "with the tags of each" })),
  tags_count: optional(boolean({ description: "with how many tags each has" })),
};
const InProject = { id: projectId() };
const RepositoryIn = { repository_id: integer() };

export const ListRepositories = Type.Object({ ...InProject, ...Extras });
export const ListGroupRepositories = Type.Object({ id: groupId(), tags_count: Extras.tags_count });
export const AnyRepository = Type.Object({
  ...RepositoryIn,
  ...Extras,
  size: optional(boolean({ description: "with the bytes of its layers and manifests" })),
});
export const RepositoryInPath = Type.Object({ ...InProject, ...RepositoryIn });
export const TagInPath = Type.Object({ ...RepositoryInPath.properties, tag_name: text() });
const pattern = (description: string) => optional(text({ description: `${description}; RE2, for the whole name` }));
export const DeleteTags = Type.Object({
  ...RepositoryInPath.properties,
  name_regex_delete: pattern("which tags"),
  name_regex: pattern("an older name for it"),
  name_regex_keep: pattern("which of them stay"),
  keep_n: optional(integer({ description: "how many of them stay, the newest" })),
  older_than: optional(text({ description: "only those pushed so long ago: 1h, 2d, 1month" })),
});
export type TagsToDelete = Omit<Static<typeof DeleteTags>, "id" | "repository_id">;
export const ListTags = Type.Object({
  ...RepositoryInPath.properties,
  order_by: optional(text({ description: "of keyset pages: name" })),
  sort: optional(text({ description: "asc, or desc" })),
});
