// Drives what @gitbeaker/rest has about issue statistics against the server at HOST with TOKEN, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host, person } from "./gitbeaker-setup.mjs";

const seen = {};
const countsOf = async (answer) => (await answer).statistics.counts;
const refusalOf = (call) =>
  call.then(
    () => "accepted",
    ({ cause }) => [cause?.response?.status, cause?.description],
  );

const group = await api.Groups.create("Acme", "acme", { visibility: "public" });
const { id: projectId } = await api.Projects.create({ name: "Van", namespaceId: group.id, visibility: "public" });
const mara = await person("mara", "Mara Quist");
await api.ProjectMembers.add(projectId, 30, { userId: mara.id });
await api.Issues.create(projectId, "Wheels squeak", { labels: "bug,ui", assigneeIds: [mara.id], weight: 3 });
await api.Issues.create(projectId, "Doors, too", { labels: "bug", confidential: true });
const { iid } = await api.Issues.create(projectId, "Lights", { description: "squeaking wheels?" });
await api.Issues.edit(projectId, iid, { stateEvent: "close" });

seen.everywhere = await countsOf(api.IssuesStatistics.all());
seen.assigned = await countsOf(api.IssuesStatistics.all({ scope: "assigned_to_me" }));
seen.group = await countsOf(api.IssuesStatistics.all({ groupId: "acme" }));
seen.project = await countsOf(api.IssuesStatistics.all({ projectId }));
const filtered = {
  labels: { labels: "bug,ui" },
  iids: { iids: [1, 3] },
  confidential: { confidential: true },
  assignee: { assigneeId: mara.id },
  username: { assigneeUsername: ["mara"] },
  weight: { weight: 3 },
  search: { search: "squeak", in: "title" },
  everySearch: { search: "squeak" },
  not: { not: { labels: "ui" } },
  before: { createdBefore: "2020-01-01T00:00:00Z" },
};
for (const [name, options] of Object.entries(filtered)) {
  seen[name] = await countsOf(api.IssuesStatistics.all({ projectId, ...options }));
}
seen.unknown = await refusalOf(api.IssuesStatistics.all({ projectId: 999 }));
seen.exclusive = await refusalOf(api.IssuesStatistics.all({ projectId, authorId: 1, authorUsername: "root" }));
seen.anonymous = await refusalOf(new Gitlab({ host }).IssuesStatistics.all({ projectId }));

console.log(JSON.stringify(seen));
