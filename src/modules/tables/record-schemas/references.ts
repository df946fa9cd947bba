/** Where what a field names lies: one collection, or the one that another field of the document says. */
type Target = string | { readonly by: string; readonly of: Readonly<Record<string, string>> };

const source: Target = { by: "source_type", of: { group: "groups", project: "projects" } };
const subjects = { Issue: "issues", Epic: "epics", Note: "notes", Label: "labels", Snippet: "snippets" };
const inProject = { project_id: "projects" };

/**
 * What a document cannot be without: whoever asks for one of these would find it nowhere, or by nobody. A field that is not
 * here may name what is gone, such as the label of an issue while it is being deleted, or who started a pipeline.
 */
export const references: Readonly<Record<string, Readonly<Record<string, Target>>>> = {
  users: { namespace_id: "namespaces" },
  emails: { user_id: "users" },
  "personal-access-tokens": { user_id: "users" },
  follows: { follower_id: "users", followee_id: "users" },
  namespaces: { parent_id: "namespaces", owner_id: "users" },
  groups: { id: "namespaces", parent_id: "groups" },
  projects: { namespace_id: "namespaces" },
  memberships: { source_id: source, user_id: "users" },
  "group-links": { source_id: source, group_id: "groups" },
  "access-requests": { source_id: source, user_id: "users" },
  "job-token-links": {
    source_project_id: "projects",
    target_id: { by: "target_type", of: { group: "groups", project: "projects" } },
  },
  "project-stars": { user_id: "users", ...inProject },
  snippets: { ...inProject, author_id: "users" },
  issues: { ...inProject, author_id: "users", assignee_ids: "users", closed_by_id: "users" },
  labels: { source_id: source },
  "label-priorities": { label_id: "labels", ...inProject },
  milestones: { source_id: source },
  epics: { group_id: "groups", author_id: "users" },
  "epic-issues": { epic_id: "epics", issue_id: "issues" },
  notes: { noteable_id: { by: "noteable_type", of: subjects }, author_id: "users" },
  "award-emoji": { awardable_id: { by: "awardable_type", of: subjects }, user_id: "users" },
  subscriptions: { subject_id: { by: "subject_type", of: subjects }, user_id: "users" },
  "notification-settings": { user_id: "users", source_id: source },
  "alert-integrations": inProject,
  alerts: inProject,
  "error-tracking-client-keys": inProject,
  "tracked-errors": inProject,
  pipelines: inProject,
  "ci-jobs": { pipeline_id: "pipelines", ...inProject },
  triggers: { ...inProject, owner_id: "users" },
  runners: { group_id: "groups", project_ids: "projects" },
  "runner-managers": { runner_id: "runners" },
  packages: inProject,
  "package-files": { package_id: "packages", ...inProject },
  "package-pipelines": { package_id: "packages", ...inProject },
  "container-repositories": inProject,
  "container-blobs": { repository_id: "container-repositories", ...inProject },
  "container-manifests": { repository_id: "container-repositories", ...inProject },
  "container-tags": { repository_id: "container-repositories", ...inProject },
};

type Fields = Readonly<Record<string, unknown>>;

/** A field that names what is not there. */
export interface LostReference {
  readonly field: string;
  readonly target: string;
  readonly id: number;
}

/** The first reference of a document that leads nowhere; `has` knows what there is. */
export function lostReferenceOf(
  collection: string,
  document: object,
  has: (collection: string, id: number) => boolean,
): LostReference | undefined {
  const fields = document as Fields;
  // Its namespace may be gone before it, with the user whose it was.
  if (fields.is_being_deleted === true) return undefined;
  for (const [field, declared] of Object.entries(references[collection] ?? {})) {
    const target = typeof declared === "string" ? declared : declared.of[String(fields[declared.by])];
    if (target === undefined) continue;
    for (const id of [fields[field]].flat()) {
      if (typeof id === "number" && !has(target, id)) return { field, target, id };
    }
  }
  return undefined;
}
