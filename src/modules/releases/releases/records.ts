import { collection, field, multi, ordered, type RecordOf, record, type Store, unique } from "../../../store/index.ts";

export const linkTypes = ["other", "runbook", "image", "package"] as const;

const ReleaseLink = field.object({
  id: field.whole,
  name: field.text,
  url: field.text,
  /** The path below the release that leads to the URL. */
  filepath: field.nullable(field.text),
  link_type: field.oneOf(...linkTypes),
});
export type ReleaseLink = RecordOf<typeof ReleaseLink>;

/** A release of a project: one for each tag (releases 2). */
export const ReleaseRecord = record({
  id: field.whole,
  project_id: field.whole,
  tag: field.text,
  /** null: that of the tag. */
  name: field.nullable(field.text),
  description: field.nullable(field.text),
  /** The commit that the tag led to when the release was made. */
  sha: field.text,
  /** null: the account is gone. */
  author_id: field.nullable(field.whole),
  milestone_ids: field.listOf(field.whole),
  /** The oldest first. */
  links: field.listOf(ReleaseLink),
  /** May lie ahead, or before the creation. */
  released_at: field.moment,
  created_at: field.moment,
  updated_at: field.moment,
});
export type ReleaseRecord = RecordOf<typeof ReleaseRecord>;

export const releases = collection("releases", ReleaseRecord, {
  typeName: "Release",
  indexes: {
    tag_in_project: unique(({ project_id, tag }) => tagInProject(project_id, tag)),
    project_id: multi(({ project_id }) => [project_id]),
    milestone_id: multi(({ milestone_ids }) => milestone_ids),
    author_id: multi(({ author_id }) => (author_id === null ? [] : [author_id])),
    released_at: ordered(({ released_at }) => released_at),
    created_at: ordered(({ created_at }) => created_at),
    updated_at: ordered(({ updated_at }) => updated_at),
  },
  references: { project_id: "projects", author_id: "users" },
});

export function tagInProject(projectId: number, tag: string): string {
  return `${projectId} ${tag}`;
}

export function findRelease(store: Store, projectId: number, tag: string): ReleaseRecord | undefined {
  const id = store.of(releases).by.tag_in_project.find(tagInProject(projectId, tag));
  return id === undefined ? undefined : store.of(releases).get(id);
}
