// Drives what @gitbeaker/rest has about merge requests against the server at HOST with TOKEN, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host, person, statusOf } from "./gitbeaker-setup.mjs";

const { MergeRequests, MergeRequestApprovals, MergeRequestNotes } = api;
const seen = {};

const mara = await person("mara", "Mara Quist");
const acme = await api.Groups.create("Acme", "acme", { visibility: "public" });
const van = await api.Projects.create({
  name: "Van",
  namespaceId: acme.id,
  visibility: "public",
  initializeWithReadme: true,
});
const commit = (branch, file, more = {}) =>
  api.Commits.create(van.id, branch, `Add ${file}`, [{ action: "create", filePath: file, content: "new\n" }], more);
await commit("roof", "roof.txt", { startBranch: "main" });

// Creating, reading and changing
seen.created = await MergeRequests.create(van.id, "roof", "main", "Mend the roof", {
  description: "- [ ] tiles",
  labels: "bug,noise",
  assigneeId: mara.id,
  reviewerIds: [mara.id],
  removeSourceBranch: true,
  squash: true,
});
seen.shown = (await MergeRequests.show(van.id, 1)).changes_count;
seen.edited = await MergeRequests.edit(van.id, 1, { title: "Draft: mend it", addLabels: "loud", stateEvent: "close" });
seen.reopened = (await MergeRequests.edit(van.id, 1, { stateEvent: "reopen" })).state;
seen.twin = await statusOf(MergeRequests.create(van.id, "roof", "main", "again"));
seen.unknown = await statusOf(MergeRequests.create(van.id, "gone", "main", "t"));

// Lists
for (let count = 1; count <= 5; count += 1) {
  await commit(`seat-${count}`, `seat-${count}.txt`, { startBranch: "main" });
  await MergeRequests.create(van.id, `seat-${count}`, "main", `Seat ${count}`);
}
seen.all = (await MergeRequests.all({ scope: "all", perPage: 2 })).length;
seen.inGroup = (await MergeRequests.all({ groupId: acme.id, labels: "loud" })).map(({ iid }) => iid);
seen.drafts = (await MergeRequests.all({ projectId: van.id, wip: "yes" })).map(({ iid }) => iid);
const anonymous = new Gitlab({ host });
seen.anonymous = (await anonymous.MergeRequests.all({ projectId: van.id, state: "opened" })).length;

// Commits and diffs
seen.commits = (await MergeRequests.allCommits(van.id, 1)).map(({ title }) => title);
seen.diffs = (await MergeRequests.allDiffs(van.id, 1)).map(({ new_path }) => new_path);
const versions = await MergeRequests.allDiffVersions(van.id, 1);
seen.versions = versions.map(({ state }) => state);
seen.version = (await MergeRequests.showDiffVersion(van.id, 1, versions[0].id)).commits.length;
seen.participants = (await MergeRequests.allParticipants(van.id, 1)).map(({ username }) => username);
seen.reviewers = (await MergeRequests.showReviewers(van.id, 1)).map(({ state }) => state);

// Approvals, notes, time and subscriptions
await MergeRequests.edit(van.id, 1, { assigneeIds: [0] });
seen.ownWork = await statusOf(MergeRequestApprovals.approve(van.id, 1));
seen.approvals = (await MergeRequestApprovals.showConfiguration(van.id, { mergerequestIId: 1 })).approved_by;
seen.note = (await MergeRequestNotes.create(van.id, 1, "Nice")).body;
seen.spent = (await MergeRequests.addSpentTime(van.id, 1, "1h")).human_total_time_spent;
seen.unsubscribed = (await MergeRequests.unsubscribe(van.id, 1)).subscribed;
await MergeRequests.remove(van.id, 1);
seen.removed = await statusOf(MergeRequests.show(van.id, 1));

console.log(JSON.stringify(seen));
