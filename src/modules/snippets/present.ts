import type { Context } from "../context.ts";
import { type ProjectRecord, projectPathOf, projects } from "../namespaces/index.ts";
import type { SnippetRecord } from "./collection.ts";

/** storage-moves 3, "snippet". `baseUrl` has no trailing slash. */
export function presentBasicSnippet({ store }: Context, snippet: SnippetRecord, baseUrl: string) {
  const { id, title, description, visibility, created_at, updated_at, project_id } = snippet;
  const project = project_id === null ? undefined : store.of(projects).get(project_id);
  const path = `${project === undefined ? "" : `${projectPathOf(store, project as ProjectRecord)}/-/`}snippets/${id}`;
  const gitPath = `${project === undefined ? "" : `${projectPathOf(store, project)}/`}snippets/${id}.git`;
  const web_url = project === undefined ? `${baseUrl}/-/${path}` : `${baseUrl}/${path}`;
  return {
    id,
    title,
    description,
    visibility,
    created_at,
    updated_at,
    project_id,
    web_url,
    raw_url: `${web_url}/raw`,
    ssh_url_to_repo: `git@${new URL(baseUrl).hostname}:${gitPath}`,
    http_url_to_repo: `${baseUrl}/${gitPath}`,
  };
}
