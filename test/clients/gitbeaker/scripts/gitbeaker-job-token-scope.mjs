// The job token scope with the stock client; prints what it saw as one line of JSON.
import { Gitlab } from "@gitbeaker/rest";
import { api, host } from "./gitbeaker-setup.mjs";

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

// A runner takes a job of the target's; the client goes on with the job's token.
const ci = "job: {script: x}";
for (const each of [id, target.id]) await api.RepositoryFiles.create(each, ".gitlab-ci.yml", "main", ci, "x [skip ci]");
const post = async (path, json, headers = {}) => {
  const body = JSON.stringify(json);
  const url = `${process.env.HOST}/api/v4${path}`;
  return (
    await fetch(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body })
  ).json();
};
const runner = await post("/user/runners", { runner_type: "instance_type" }, { "PRIVATE-TOKEN": process.env.TOKEN });
const upstream = await api.Pipelines.create(target.id, "main");
let job;
while (job === undefined) {
  const [listed] = await api.Jobs.all(target.id, { pipelineId: upstream.id });
  if (listed.status === "pending") job = await post("/jobs/request", { token: runner.token });
}
const asJob = new Gitlab({ host, jobToken: job.token });
// The client looks for the token where its constructor does not put it.
asJob.Jobs.headers["job-token"] = job.token;
seen.job = await asJob.Jobs.showConnectedJob();
seen.notListed = await asJob.PipelineTriggerTokens.trigger(id, "main", job.token).catch(
  ({ cause }) => cause.description,
);
await scope.addToInboundAllowList(id, target.id);
seen.triggered = await asJob.PipelineTriggerTokens.trigger(id, "main", job.token);
seen.bridges = await api.Jobs.allPipelineBridges(target.id, upstream.id);
seen.otherwise = await asJob.Projects.show(id).catch(({ cause }) => cause.description);

console.log(JSON.stringify(seen));
