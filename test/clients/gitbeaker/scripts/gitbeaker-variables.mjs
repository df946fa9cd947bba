// CI variables with the stock client; prints what it saw as one line of JSON.
import { api, refusal, statusOf } from "./gitbeaker-setup.mjs";

const seen = {};
const { id } = await api.Projects.create({ name: "Vars", path: "vars" });
const { id: groupId } = await api.Groups.create("Fleet", "fleet");

const made = await api.ProjectVariables.create(id, "K", "value_of_k", { masked: true, environmentScope: "prod/*" });
seen.made = [made.key, made.value, made.masked, made.environment_scope];
await api.ProjectVariables.create(id, "K", "v");
seen.ambiguous = await refusal(api.ProjectVariables.show(id, "K"));
const filter = { environment_scope: "prod/*" };
seen.edited = (await api.ProjectVariables.edit(id, "K", "value_of_w", { filter })).value;
seen.shown = (await api.ProjectVariables.show(id, "K", { filter })).value;
seen.all = (await api.ProjectVariables.all(id)).map(({ value }) => value);
await api.ProjectVariables.remove(id, "K", { filter });
seen.left = (await api.ProjectVariables.all(id)).map(({ value }) => value);

await api.GroupVariables.create(groupId, "G", "1");
seen.group = (await api.GroupVariables.edit(groupId, "G", "2")).value;
seen.groupAll = (await api.GroupVariables.all(groupId)).map(({ key }) => key);
await api.GroupVariables.remove(groupId, "G");
seen.groupGone = await statusOf(api.GroupVariables.show(groupId, "G"));

await api.InstanceLevelCICDVariables.create("I", "1");
seen.instance = (await api.InstanceLevelCICDVariables.edit("I", "2")).value;
seen.instanceAll = (await api.InstanceLevelCICDVariables.all()).map(({ key }) => key);
// The client's remove sends a GET.
seen.instanceShown = (await api.InstanceLevelCICDVariables.show("I")).value;

console.log(JSON.stringify(seen));
