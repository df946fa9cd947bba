// Drives what @gitbeaker/rest knows of error tracking, and prints what it saw.
import { api, refusal } from "../gitbeaker/scripts/gitbeaker-setup.mjs";

const seen = {};
const project = await api.Projects.create({ name: "Shop", path: "shop" });
const { ErrorTrackingSettings, ErrorTrackingClientKeys } = api;
seen.missing = await refusal(ErrorTrackingSettings.show("root/shop"));
seen.nothing = await refusal(ErrorTrackingSettings.create(project.id, true, false));
seen.created = await ErrorTrackingSettings.create("root/shop", true, true);
seen.off = await ErrorTrackingSettings.edit(project.id, false, { integrated: true });
seen.on = await ErrorTrackingSettings.edit(project.id, true);
seen.shown = await ErrorTrackingSettings.show("root/shop");
seen.key = await ErrorTrackingClientKeys.create(project.id);
seen.keys = await ErrorTrackingClientKeys.all("root/shop", { perPage: 1 });
// It forgets the key's id.
seen.removed = await refusal(ErrorTrackingClientKeys.remove(project.id, seen.key.id));
seen.projectId = project.id;

console.log(JSON.stringify(seen));
