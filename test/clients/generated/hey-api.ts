import { client } from "./out/hey-api/client.gen.ts";
import * as api from "./out/hey-api/sdk.gen.ts";

/** Ten calls of a client that `@hey-api/openapi-ts` generates from the OpenAPI document. */
export async function callWithHeyApi(origin: string, token: string) {
  client.setConfig({ baseUrl: origin, auth: token, throwOnError: true });
  const throwOnError = true;
  const { data: version } = await api.getVersion({ throwOnError });
  const { data: user } = await api.getUser({ throwOnError });
  const { data: group } = await api.postGroups({ body: { name: "Hey", path: "hey" }, throwOnError });
  const { data: project } = await api.postProjects({ body: { name: "Api", namespace_id: group.id }, throwOnError });
  const { data: byNumber } = await api.getProjectsById({ path: { id: project.id }, throwOnError });
  const { data: byPath } = await api.getProjectsById({ path: { id: "hey/api" }, throwOnError });
  const path = { id: project.id };
  const { data: label } = await api.postProjectsByIdLabels({ path, body: { name: "bug", color: "red" }, throwOnError });
  const { data: issue } = await api.postProjectsByIdIssues({ path, body: { title: "First" }, throwOnError });
  const { data: closed } = await api.putProjectsByIdIssuesByIssueIid({
    path: { id: project.id, issue_iid: issue.iid },
    body: { state_event: "close" },
    throwOnError,
  });
  const { data: issues } = await api.getProjectsByIdIssues({ path, query: { state: "closed" }, throwOnError });
  return {
    version: version.version,
    username: user.username,
    ids: [byNumber.id === project.id, byPath.id === project.id],
    label: label.name,
    states: [issue.state, closed.state],
    titles: issues.map(({ title }) => title),
  };
}
