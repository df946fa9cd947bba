// Trigger tokens, pipelines and jobs with the stock client; prints what it saw as one line of JSON.
import { api } from "./gitbeaker-setup.mjs";

const seen = {};
const { id } = await api.Projects.create({ name: "Ledger", path: "ledger", initializeWithReadme: true });
const ci =
  "build: {stage: build, script: make}\ntest: {script: make test}\nship: {stage: deploy, when: manual, script: x}";
await api.RepositoryFiles.create(id, ".gitlab-ci.yml", "main", ci, "Add CI [skip ci]");

seen.trigger = await api.PipelineTriggerTokens.create(id, "nightly");
seen.triggers = (await api.PipelineTriggerTokens.all(id)).map(({ description }) => description);
seen.edited = await api.PipelineTriggerTokens.edit(id, seen.trigger.id, { description: "weekly" });
seen.shown = await api.PipelineTriggerTokens.show(id, seen.trigger.id);
seen.triggered = await api.PipelineTriggerTokens.trigger(id, "main", seen.trigger.token, { variables: { A: "1" } });
seen.variables = await api.Pipelines.allVariables(id, seen.triggered.id);

seen.pipeline = await api.Pipelines.create(id, "main", { variables: [{ key: "B", value: "2" }] });
seen.sources = (await api.Pipelines.all(id)).map(({ source }) => source);
seen.onePipeline = await api.Pipelines.show(id, seen.pipeline.id);
seen.jobs = (await api.Jobs.all(id, { pipelineId: seen.pipeline.id })).map(({ name }) => name).sort();
const [job] = await api.Jobs.all(id, { scope: "created" });
seen.job = (await api.Jobs.show(id, job.id)).name;
seen.canceledJob = (await api.Jobs.cancel(id, job.id)).status;
seen.retriedJob = (await api.Jobs.retry(id, job.id)).name;

const newRunner = await api.Users.createCIRunner("project_type", { projectId: id, description: "one" });
seen.newRunner = newRunner;
seen.runners = (await api.Runners.all({ projectId: id })).map(({ id: runnerId }) => runnerId);
seen.allRunners = (await api.Runners.all()).map(({ id: runnerId }) => runnerId);
seen.shownRunner = (await api.Runners.show(newRunner.id)).projects.map(({ path }) => path);
seen.editedRunner = (await api.Runners.edit(newRunner.id, { description: "two", tagList: ["big"] })).tag_list;
const asked = await fetch(`${process.env.HOST}/api/v4/jobs/request`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ token: newRunner.token }),
});
const taken = await asked.json();
await fetch(`${process.env.HOST}/api/v4/jobs/${taken.id}/trace`, {
  method: "PATCH",
  headers: { "JOB-TOKEN": taken.token, "Content-Range": "0-5" },
  body: "made\n",
});
seen.log = await api.Jobs.showLog(id, taken.id);
seen.running = (await api.Jobs.all(id, { scope: "running" })).map(({ id: jobId, runner }) => [
  jobId,
  runner.description,
]);
seen.taken = taken.id;
await fetch(`${process.env.HOST}/api/v4/jobs/${taken.id}`, {
  method: "PUT",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ token: taken.token, state: "success" }),
});
seen.ended = (await api.Jobs.show(id, taken.id)).status;
seen.erased = (await api.Jobs.erase(id, taken.id)).erased_at;

seen.canceled = (await api.Pipelines.cancel(id, seen.pipeline.id)).status;
seen.retried = (await api.Pipelines.retry(id, seen.pipeline.id)).id;
seen.removed = await api.Pipelines.remove(id, seen.pipeline.id);
seen.triggerRemoved = await api.PipelineTriggerTokens.remove(id, seen.trigger.id);

console.log(JSON.stringify(seen));
