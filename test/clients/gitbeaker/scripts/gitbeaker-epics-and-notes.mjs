// Drives what @gitbeaker/rest has about epics, notes and reactions against the server at HOST with TOKEN, and prints
// what it saw.
import { api, person, refusal } from "./gitbeaker-setup.mjs";

const { EpicIssues, Epics, IssueAwardEmojis, IssueNoteAwardEmojis, IssueNotes, Issues } = api;
const seen = {};
const mara = await person("mara", "Mara Quist");
const asMara = mara.api;
const acme = await api.Groups.create("Acme", "acme", { visibility: "public" });
const van = await api.Projects.create({ name: "Van", namespaceId: acme.id, visibility: "public" });
const squeak = await Issues.create(van.id, "Wheels squeak");
const rust = await Issues.create(van.id, "Doors rust");

// Epics
seen.epic = await Epics.create(acme.id, "Quiet & quick", {
  labels: "noise,speed",
  description: "Both",
  startDateIsFixed: true,
  startDateFixed: "2030-01-02",
});
seen.shown = await Epics.show("acme", 1);
seen.edited = await Epics.edit(acme.id, 1, { addLabels: "van", removeLabels: "speed", stateEvent: "close" });
seen.child = await Epics.create("acme", "Quiet", { parentId: seen.epic.id, confidential: true });
seen.listed = (await Epics.all(acme.id, { orderBy: "title", sort: "asc" })).map(({ title }) => title);
seen.closed = (await Epics.all(acme.id, { state: "closed", labels: "van", search: "quick" })).map(({ iid }) => iid);
seen.asMara = (await asMara.Epics.all(acme.id)).map(({ iid }) => iid);

// Their issues
seen.assigned = await EpicIssues.assign(acme.id, 1, squeak.id);
const second = await EpicIssues.assign(acme.id, 1, rust.id);
seen.order = (await EpicIssues.all(acme.id, 1)).map(({ epic_issue_id }) => epic_issue_id);
seen.moved = (await EpicIssues.edit(acme.id, 1, second.id, { moveAfterId: seen.assigned.id })).map(
  ({ title }) => title,
);
await EpicIssues.remove(acme.id, 1, second.id);
seen.left = (await EpicIssues.all("acme", 1)).map(({ title }) => title);
seen.epicOfIssue = (await Issues.show(1, { projectId: van.id })).epic;

// Notes
seen.note = await asMara.IssueNotes.create(van.id, 1, "Oil **them**");
await IssueNotes.create(van.id, 1, "Between us", { internal: true, createdAt: "2024-05-01T11:30:00+02:00" });
seen.notes = (await IssueNotes.all(van.id, 1, { sort: "asc", orderBy: "created_at" })).map(({ body }) => body);
seen.notesOfMara = (await asMara.IssueNotes.all("acme/van", 1)).map(({ body }) => body);
seen.editedNote = (await asMara.IssueNotes.edit(van.id, 1, seen.note.id, { body: "Grease them" })).body;
seen.shownNote = (await IssueNotes.show(van.id, 1, seen.note.id)).body;
seen.count = (await Issues.show(1, { projectId: van.id })).user_notes_count;

// Reactions
seen.award = await asMara.IssueAwardEmojis.award(van.id, 1, "+1");
seen.shownAward = (await IssueAwardEmojis.show(van.id, 1, seen.award.id)).name;
seen.noteAward = (await IssueNoteAwardEmojis.award(van.id, 1, seen.note.id, "tada")).awardable_type;
seen.noteAwards = (await IssueNoteAwardEmojis.all(van.id, 1, seen.note.id)).map(({ name }) => name);
seen.votes = (await Issues.show(1, { projectId: van.id })).upvotes;
seen.refused = {
  twice: await refusal(asMara.IssueAwardEmojis.award(van.id, 1, "thumbsup")),
  unknown: await refusal(asMara.IssueAwardEmojis.award(van.id, 1, "no_such_thing")),
  foreignEpic: await refusal(asMara.Epics.create(acme.id, "Mine")),
  hiddenEpic: await refusal(asMara.Epics.show(acme.id, 2)),
  title: await refusal(Epics.create(acme.id, " ")),
  foreignNote: await refusal(asMara.IssueNotes.remove(van.id, 1, 2)),
};
await asMara.IssueAwardEmojis.remove(van.id, 1, seen.award.id);
seen.awardsLeft = await IssueAwardEmojis.all(van.id, 1);
await asMara.IssueNotes.remove(van.id, 1, seen.note.id);
await Epics.remove(acme.id, 1);
seen.after = await Issues.show(1, { projectId: van.id });

console.log(JSON.stringify(seen));
