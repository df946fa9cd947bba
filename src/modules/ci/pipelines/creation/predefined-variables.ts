/** The predefined variables of a pipeline. */

import type { CallerUser } from "../../../../domain/caller.ts";
import { slugOf } from "../../../../lib/text/trim.ts";
import type { Store } from "../../../../store/index.ts";
import { type ProjectRecord, projectPathOf } from "../../../core/namespaces/index.ts";
import type { PipelineRecord } from "../records.ts";

/** A pipeline as far as it is known before it is made. */
type Made = Pick<PipelineRecord, "sha" | "ref" | "tag" | "source" | "before_sha" | "commit">;

/** Variables that every job has, and that rules may ask for. */
export function predefinedVariables(
  store: Store,
  project: ProjectRecord,
  user: Pick<CallerUser, "id" | "username" | "name" | "email"> | undefined,
  { sha, ref, tag, source, before_sha, commit }: Made,
  baseUrl: string,
): Record<string, string> {
  const path = projectPathOf(store, project);
  const message = commit.message.replace(/\n$/, "");
  const title = message.split("\n", 1)[0] as string;
  return {
    CI: "true",
    GITLAB_CI: "true",
    CI_SERVER: "yes",
    CI_SERVER_URL: baseUrl,
    CI_API_V4_URL: `${baseUrl}/api/v4`,
    CI_PIPELINE_SOURCE: source,
    ...(source === "trigger" ? { CI_PIPELINE_TRIGGERED: "true" } : {}),
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: before_sha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    ...(tag ? { CI_COMMIT_TAG: ref } : { CI_COMMIT_BRANCH: ref }),
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_AUTHOR: `${commit.author.name} <${commit.author.email}>`,
    CI_DEFAULT_BRANCH: project.default_branch ?? "",
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_PATH: path,
    CI_PROJECT_PATH_SLUG: slugOf(path),
    CI_PROJECT_NAMESPACE: path.slice(0, path.lastIndexOf("/")),
    CI_PROJECT_URL: `${baseUrl}/${path}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    ...(user === undefined
      ? {}
      : {
          GITLAB_USER_ID: String(user.id),
          GITLAB_USER_LOGIN: user.username,
          GITLAB_USER_NAME: user.name,
          GITLAB_USER_EMAIL: user.email,
        }),
  };
}
