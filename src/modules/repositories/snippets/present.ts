import type { Static } from "@sinclair/typebox";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import type { SnippetRecord } from "./records.ts";
import type { BasicSnippet, Snippet, UserAgentDetail } from "./schema.ts";

/** storage-moves 3, "snippet". `baseUrl` has no trailing slash. */
export function presentBasicSnippet(
  snippet: SnippetRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof BasicSnippet> {
  const { id, title, description, visibility, created_at, updated_at, project_id } = snippet;
  const project = project_id === null ? undefined : store.of(projects).get(project_id);
  const place = project === undefined ? "" : `${projectPathOf(store, project)}/`;
  const web_url = `${baseUrl}/${place}-/snippets/${id}`;
  const gitPath = `${place}snippets/${id}.git`;
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

/** storage-moves 8. */
export function presentSnippet(snippet: SnippetRecord, view: View): Static<typeof Snippet> {
  const { context } = view;
  const basic = presentBasicSnippet(snippet, view);
  const author = findUser(context.store, snippet.author_id);
  return {
    ...basic,
    author: author === undefined ? null : presentBasicUser(author, view),
    file_name: snippet.files[0] ?? "",
    files: snippet.files.map((path) => ({
      path,
      raw_url: `${basic.web_url}/raw/main/${path.split("/").map(encodeURIComponent).join("/")}`,
    })),
  };
}

/** Nobody reports snippets to Akismet here: it only judges them. */
export function presentUserAgentDetail(
  { user_agent, ip_address }: NonNullable<SnippetRecord["user_agent_detail"]>,
  _: View,
): Static<typeof UserAgentDetail> {
  return { user_agent, ip_address, akismet_submitted: false };
}
