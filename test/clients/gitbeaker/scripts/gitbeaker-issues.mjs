// Drives what @gitbeaker/rest has about issues against the server at HOST with TOKEN, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host, person, statusOf } from "./gitbeaker-setup.mjs";

const { Issues } = api;
const seen = {};
const iids = (issues) => issues.map(({ iid }) => iid);

const mara = await person("mara", "Mara Quist");
const acme = await api.Groups.create("Acme", "acme", { visibility: "public" });
const van = await api.Projects.create({ name: "Van", namespaceId: acme.id, visibility: "public" });
const bus = await api.Projects.create({ name: "Bus", namespaceId: acme.id, visibility: "public" });

// Creating, reading and changing
seen.created = await Issues.create(van.id, "Wheels squeak", {
  description: "- [x] oil\n- [ ] new wheels",
  labels: "bug,noise",
  assigneeIds: [mara.id],
  dueDate: "2030-01-02",
  confidential: false,
  weight: 3,
  issueType: "incident",
  createdAt: "2024-05-01T11:30:00+02:00",
});
seen.byId = (await Issues.show(seen.created.id)).iid;
seen.byIid = (await Issues.show(1, { projectId: van.id })).id;
await Issues.create(van.id, "Doors & windows", { iid: 40, confidential: true });
seen.edited = await Issues.edit(van.id, 1, {
  stateEvent: "close",
  addLabels: "loud",
  removeLabels: "noise",
  assigneeIds: [0],
});
seen.taken = await statusOf(Issues.create(van.id, "again", { iid: 40 }));
seen.blank = await statusOf(Issues.edit(van.id, 1, { title: "" }));

// Lists
for (let count = 1; count <= 22; count += 1) await Issues.create(bus.id, `Seat ${count}`);
seen.all = (await Issues.all({ scope: "all", perPage: 10 })).length;
seen.inGroup = iids(await Issues.all({ groupId: acme.id, search: "doors" }));
seen.inProject = iids(await Issues.all({ projectId: van.id, orderBy: "title", sort: "asc" }));
seen.byIids = iids(await Issues.all({ projectId: bus.id, iids: [3, 5], sort: "asc" }));
seen.without = iids(await Issues.all({ projectId: van.id, not: { labels: "bug" } }));
seen.closed = iids(await Issues.all({ projectId: van.id, state: "closed", labels: "bug,loud" }));
seen.detailed = (await Issues.all({ projectId: van.id, iids: [1], withLabelsDetails: true }))[0].labels.map(
  ({ name }) => name,
);
seen.anonymous = iids(await new Gitlab({ host }).Issues.all({ projectId: van.id }));

// Around one issue
seen.estimated = await Issues.addTimeEstimate(van.id, 40, "3h30m");
seen.spent = (await Issues.addSpentTime(van.id, 40, "1h")).human_total_time_spent;
seen.stats = await Issues.showTimeStats(van.id, 40);
seen.reset = [
  (await Issues.resetSpentTime(van.id, 40)).total_time_spent,
  (await Issues.resetTimeEstimate(van.id, 40)).time_estimate,
];
seen.participants = (await Issues.allParticipants(van.id, 1)).map(({ username }) => username);
seen.mergeRequests = [
  await Issues.allRelatedMergeRequests(van.id, 1),
  await Issues.allClosedByMergeRequestst(van.id, 1),
];
seen.unsubscribed = (await Issues.unsubscribe(van.id, 1)).subscribed;
seen.subscribed = (await Issues.subscribe(van.id, 1)).subscribed;
seen.moved = await Issues.move(van.id, 40, bus.id);
seen.left = (await Issues.show(40, { projectId: van.id })).moved_to_id;

// The end
await Issues.remove(bus.id, seen.moved.iid);
seen.afterRemoval = await statusOf(Issues.show(seen.moved.iid, { projectId: bus.id }));

console.log(JSON.stringify(seen));
