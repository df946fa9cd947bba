// Drives what @gitbeaker/rest knows of labels and milestones, and prints what it saw.
import { api, refusal } from "./gitbeaker-setup.mjs";

const seen = {};
const names = (all) => all.map(({ name }) => name);
const titles = (all) => all.map(({ title }) => title);

const group = await api.Groups.create("Skylark", "skylark");
const project = await api.Projects.create({ name: "Wing", namespaceId: group.id });
const path = "skylark/wing";

// Labels
const { GroupLabels, ProjectLabels } = api;
seen.label = await ProjectLabels.create(path, "needs/review", "rebeccapurple", { description: "now", priority: 2 });
seen.shown = await ProjectLabels.show(path, "needs/review");
seen.edited = await ProjectLabels.edit(project.id, "needs/review", { newName: "reviewed", priority: 3 });
seen.groupLabel = await GroupLabels.create("skylark", "urgent", "#f00");
seen.groupEdited = await GroupLabels.edit("skylark", seen.groupLabel.id, { color: "#00F" });
await api.Issues.create(path, "Squeaks", { labels: "reviewed,urgent" });
seen.counted = await ProjectLabels.all(path, { withCounts: true, search: "review" });
seen.names = names(await ProjectLabels.all(path));
seen.own = names(await ProjectLabels.all(path, { includeAncestorGroups: false }));
seen.promoted = await ProjectLabels.promote(path, "reviewed");
seen.ofGroup = names(await GroupLabels.all("skylark", { perPage: 1 }));
seen.removed = [await GroupLabels.remove("skylark", "urgent"), names(await GroupLabels.all(group.id))];
seen.labelsLeft = (await api.Issues.show(1, { projectId: project.id })).labels;

// Milestones
const { GroupMilestones, ProjectMilestones } = api;
seen.milestone = await ProjectMilestones.create(path, "1.0", { dueDate: "2020-01-31", startDate: "2020-01-01" });
seen.closed = await ProjectMilestones.edit(path, seen.milestone.id, { stateEvent: "close", description: "done" });
seen.milestoneShown = await ProjectMilestones.show(path, seen.milestone.id);
await api.Issues.create(path, "Rattles", { milestoneId: seen.milestone.id });
seen.assigned = titles(await ProjectMilestones.allAssignedIssues(path, seen.milestone.id));
seen.mergeRequests = await ProjectMilestones.allAssignedMergeRequests(path, seen.milestone.id);
seen.groupMilestone = await GroupMilestones.create("skylark", "Spring");
seen.all = titles(await ProjectMilestones.all(path, { includeParentMilestones: true }));
seen.byIid = titles(await ProjectMilestones.all(path, { iids: [1], state: "closed" }));
seen.milestonePromoted = await ProjectMilestones.promote(path, seen.milestone.id);
seen.groupAssigned = titles(await GroupMilestones.allAssignedIssues("skylark", seen.milestone.id));
seen.milestoneRemoved = await GroupMilestones.remove("skylark", seen.groupMilestone.id);
seen.milestonesLeft = titles(await GroupMilestones.all(group.id));

seen.refused = {
  taken: await refusal(ProjectLabels.create(path, "reviewed", "red")),
  color: await refusal(GroupLabels.create("skylark", "x", "reddish")),
  nothing: await refusal(ProjectLabels.edit(path, "reviewed", { color: " " })),
  label: await refusal(ProjectLabels.show(path, "nobody")),
  milestone: await refusal(ProjectMilestones.show(path, 99)),
  dates: await refusal(ProjectMilestones.create(path, "x", { startDate: "2024-02-02", dueDate: "2024-02-01" })),
  title: await refusal(ProjectMilestones.create(path, "1.0")),
};

console.log(JSON.stringify(seen));
