// Runners with the stock client; prints what it saw as one line of JSON.
import { Gitlab } from "@gitbeaker/rest";

const api = new Gitlab({ host: process.env.HOST, token: process.env.TOKEN });
const { Runners } = api;
const names = (runners) => runners.map(({ description }) => description);
const seen = {};

const group = await api.Groups.create("Shops", "shops");
const ledger = await api.Projects.create({ name: "Ledger" });
const bills = await api.Projects.create({ name: "Bills" });
const options = { projectId: ledger.id, description: "made", tagList: ["x", "y"] };
seen.made = await api.Users.createCIRunner("project_type", options);
const { runners_token } = await api.Projects.show(ledger.id);
seen.registered = await Runners.register(runners_token, { description: "registered", tagList: ["x"], active: true });
seen.ofAll = await Runners.create((await Runners.resetRegistrationToken({ token: "any" })).token, {
  description: "all",
});

seen.lists = {
  all: names(await Runners.all({ status: "never_contacted" })),
  owned: names(await Runners.all({ owned: true, tagList: ["x", "y"] })),
  project: names(await Runners.all({ projectId: ledger.id, type: "project_type" })),
  group: names(await Runners.all({ groupId: group.id })),
};
seen.edited = await Runners.edit(seen.made.id, { active: false, tagList: ["z"], maximumTimeout: 900 });
seen.enabled = await Runners.enable(bills.id, seen.made.id);
seen.shown = (await Runners.show(seen.made.id)).projects.map(({ path }) => path);
seen.disabled = await Runners.disable(bills.id, seen.made.id);
seen.jobs = await Runners.allJobs(seen.made.id, { status: "running", orderBy: "id", sort: "asc" });
seen.verified = await Runners.verify({ token: seen.made.token, systemId: "s_1" });
await Runners.remove({ token: seen.registered.token });
await Runners.remove({ runnerId: seen.made.id });
seen.left = names(await Runners.all());

console.log(JSON.stringify(seen));
