// The job token scope with the stock client; prints what it saw as one line of JSON.
import { Gitlab } from "@gitbeaker/rest";

const api = new Gitlab({ host: process.env.HOST, token: process.env.TOKEN });
const seen = {};

const group = await api.Groups.create("Shops", "shops");
const { id } = await api.Projects.create({ name: "Ledger" });
const target = await api.Projects.create({ name: "Bills", namespaceId: group.id });
const scope = api.ProjectJobTokenScopes;

seen.ids = [id, target.id, group.id];
seen.first = await scope.show(id);
seen.edited = await scope.edit(id, false);
seen.off = await scope.show(id);
await scope.edit(id, true);
seen.on = await scope.show(id);

seen.added = await scope.addToInboundAllowList(id, target.id);
seen.projects = (await scope.showInboundAllowList(id)).map(({ name }) => name);
seen.removed = await scope.removeFromInboundAllowList(id, target.id);
seen.projectsLeft = (await scope.showInboundAllowList(id)).map(({ name }) => name);

seen.addedGroup = await scope.addToGroupsAllowList(id, group.id);
seen.groups = await scope.showGroupsAllowList(id);
seen.refusal = await scope.addToGroupsAllowList(id, group.id).catch(({ cause }) => cause.description);
seen.removedGroup = await scope.removeFromGroupsAllowList(id, group.id);
seen.groupsLeft = await scope.showGroupsAllowList(id);

console.log(JSON.stringify(seen));
