// Drives what @gitbeaker/rest has about audit events, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host, refusal } from "./gitbeaker-setup.mjs";

const seen = {};
const namesOf = (events) => events.map((event) => event.event_name);

const group = await api.Groups.create("Bank", "bank");
const project = await api.Projects.create({ name: "Ledger", namespaceId: group.id });
await api.Projects.archive(project.id);
for (let count = 1; count <= 25; count += 1) await api.Groups.edit(group.id, { description: `Money ${count}` });

seen.ids = { group: group.id, project: project.id };
seen.all = namesOf(await api.AuditEvents.all({ entityType: "Group", perPage: 10 }));
seen.keyset = namesOf(await api.AuditEvents.all({ pagination: "keyset", entityType: "Group", perPage: 10 }));
seen.group = namesOf(await api.AuditEvents.all({ groupId: group.id, perPage: 7 }));
seen.project = namesOf(await api.AuditEvents.all({ projectId: project.id }));
seen.later = await api.AuditEvents.all({ createdAfter: "2999-01-01T00:00:00Z" });
const [newest] = await api.AuditEvents.all({ projectId: project.id, maxPages: 1 });
seen.newest = newest;
seen.shown = await api.AuditEvents.show(newest.id);
seen.shownOfProject = await api.AuditEvents.show(newest.id, { projectId: project.id });
seen.refused = {
  ofGroup: await refusal(api.AuditEvents.show(newest.id, { groupId: group.id })),
  anonymous: await refusal(new Gitlab({ host }).AuditEvents.all()),
};

console.log(JSON.stringify(seen));
