import createClient from "openapi-fetch";
import type { paths } from "./out/openapi-typescript.ts";

/** Ten calls of openapi-fetch, with the types that openapi-typescript generates from the OpenAPI document. */
export async function callWithOpenapiFetch(origin: string, token: string) {
  const api = createClient<paths>({ baseUrl: origin, headers: { "PRIVATE-TOKEN": token } });
  const version = found(await api.GET("/api/v4/version"));
  const user = found(await api.GET("/api/v4/user"));
  const group = found(await api.POST("/api/v4/groups", { body: { name: "Fetch", path: "fetch" } }));
  const project = found(await api.POST("/api/v4/projects", { body: { name: "Api", namespace_id: group.id } }));
  const byNumber = found(await api.GET("/api/v4/projects/{id}", { params: { path: { id: project.id } } }));
  const byPath = found(await api.GET("/api/v4/projects/{id}", { params: { path: { id: "fetch/api" } } }));
  const params = { path: { id: project.id } };
  const label = found(await api.POST("/api/v4/projects/{id}/labels", { params, body: { name: "bug", color: "red" } }));
  const issue = found(await api.POST("/api/v4/projects/{id}/issues", { params, body: { title: "First" } }));
  const closed = found(
    await api.PUT("/api/v4/projects/{id}/issues/{issue_iid}", {
      params: { path: { id: project.id, issue_iid: issue.iid } },
      body: { state_event: "close" },
    }),
  );
  const issues = found(
    await api.GET("/api/v4/projects/{id}/issues", { params: { ...params, query: { state: "closed" } } }),
  );
  return {
    version: version.version,
    username: user.username,
    ids: [byNumber.id === project.id, byPath.id === project.id],
    label: label.name,
    states: [issue.state, closed.state],
    titles: issues.map(({ title }) => title),
  };
}

/** Throws for an answer that is no success. */
function found<T>({ data, response }: { data?: T; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}`);
  return data;
}
