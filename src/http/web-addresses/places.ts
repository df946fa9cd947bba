/** A web address that the API returns, and the API call that reads its resource. */

export interface Place {
  /** The path after `/-/`. `:name` stands for one segment or a part of one, `*name` for the rest. */
  readonly path: string;
  /** The call below the project or group, or below the API. If it fails, the address does not exist for the caller. */
  readonly call: string;
  /** The console page, relative to that of the project or group. Default: the page that shows the answer to a call. */
  readonly page?: string;
  /** The call whose answer that page shows, with `{field}` for a field of the first answer. Default: `call`. */
  readonly shown?: string;
  /** True for the address of a file, which `call` returns. */
  readonly isFile?: boolean;
}

/** A milestone's address has its number in the project or group. The API reads it by its id. */
const milestone: Place = {
  path: "milestones/:iid",
  call: "milestones?iids[]=:iid&per_page=1",
  shown: "milestones/{id}",
};

const snippetPlaces: readonly Place[] = [
  { path: "snippets", call: "snippets" },
  { path: "snippets/:id", call: "snippets/:id" },
  { path: "snippets/:id/raw", call: "snippets/:id/raw", isFile: true },
  // The API has no call for one file of several.
  { path: "snippets/:id/raw/:ref/*path", call: "snippets/:id" },
];

const issue = (path: string): Place => ({ path, call: "issues/:iid", page: "issues/:iid" });

/** The addresses below `/GROUP/PROJECT/-/`, without those below a branch (`projectPage`). */
export const projectPlaces: readonly Place[] = [
  { path: "issues", call: "issues?per_page=1", page: "issues" },
  issue("issues/:iid"),
  issue("issues/incident/:iid"),
  issue("work_items/:iid"),
  { path: "merge_requests", call: "merge_requests" },
  { path: "merge_requests/:iid", call: "merge_requests/:iid" },
  { path: "labels", call: "labels?per_page=1", page: "labels" },
  { path: "milestones", call: "milestones?per_page=1", page: "milestones" },
  milestone,
  { path: "pipelines", call: "pipelines?per_page=1", page: "pipelines" },
  { path: "pipelines/:id", call: "pipelines/:id", page: "pipelines/:id" },
  { path: "jobs", call: "jobs?per_page=20" },
  { path: "jobs/:id", call: "jobs/:id", page: "jobs/:id" },
  { path: "branches", call: "repository/branches?per_page=1", page: "branches" },
  { path: "tags", call: "repository/tags" },
  { path: "tags/:name", call: "repository/tags/:name" },
  { path: "commit/:sha", call: "repository/commits/:sha" },
  { path: "compare/:from...:to", call: "repository/compare?from=:from&to=:to" },
  { path: "releases", call: "releases" },
  { path: "releases/:tag", call: "releases/:tag" },
  { path: "releases/:tag/edit", call: "releases/:tag" },
  { path: "releases/permalink/latest", call: "releases/permalink/latest", isFile: true },
  { path: "releases/permalink/latest/*suffix", call: "releases/permalink/latest/:suffix", isFile: true },
  { path: "releases/:tag/downloads/*path", call: "releases/:tag/downloads/:path", isFile: true },
  { path: "releases/:tag/evidences/:id.json", call: "releases/:tag/evidence?evidence_id=:id", isFile: true },
  { path: "project_members", call: "members?per_page=1", page: "members" },
  { path: "runners", call: "runners?per_page=1", page: "runners" },
  { path: "alert_management", call: "alert_management_alerts?per_page=1", page: "alerts" },
  { path: "alert_management/:iid/details", call: "alert_management_alerts/:iid", page: "alerts?open=:iid" },
  { path: "error_tracking", call: "error_tracking/errors?per_page=1", page: "errors" },
  { path: "error_tracking/:id/details", call: "error_tracking/errors/:id", page: "errors?open=:id" },
  ...snippetPlaces,
  { path: "packages", call: "packages" },
  { path: "packages/:id", call: "packages/:id" },
  { path: "container_registry", call: "registry/repositories" },
];

/** The addresses below `/groups/GROUP/-/`. */
export const groupPlaces: readonly Place[] = [
  { path: "issues", call: "issues" },
  { path: "labels", call: "labels?per_page=1", page: "labels" },
  { path: "milestones", call: "milestones?per_page=1", page: "milestones" },
  milestone,
  { path: "epics", call: "epics?per_page=1", page: "epics" },
  { path: "epics/:iid", call: "epics/:iid" },
  { path: "group_members", call: "members?per_page=1", page: "members" },
  { path: "packages", call: "packages" },
  { path: "container_registries", call: "registry/repositories" },
];

/** The addresses below `/-/`. */
export const instancePlaces = snippetPlaces;

/** Addresses that redirect every caller, with the console page of each. */
export const fixedPages: ReadonlyMap<string, string> = new Map([
  ["/users/sign_in", "/"],
  ["/users/password/new", "/forgotten-password"],
  ["/users/password/edit", "/new-password"],
  ["/users/confirmation", "/confirmation"],
  ["/dashboard", "/"],
  ["/dashboard/projects", "/projects"],
  ["/dashboard/groups", "/projects"],
  ["/dashboard/issues", "/issues"],
  ["/explore", "/projects"],
  ["/explore/projects", "/projects"],
  ["/explore/groups", "/projects"],
  ["/admin", "/"],
  ["/admin/users", "/people"],
  ["/-/profile", "/profile"],
  ["/-/profile/emails", "/profile"],
  ["/-/profile/account", "/profile"],
  ["/-/profile/notifications", "/profile/notifications"],
  ["/-/user_settings/profile", "/profile"],
  ["/-/user_settings/password/edit", "/profile/password"],
  ["/-/user_settings/password/new", "/profile/password"],
  ["/-/user_settings/personal_access_tokens", "/profile/tokens"],
  ["/-/user_settings/active_sessions", "/sessions"],
]);
