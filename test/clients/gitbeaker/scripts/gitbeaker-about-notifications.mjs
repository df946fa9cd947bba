// Drives what @gitbeaker/rest has about notification settings and associations, and prints what it saw.
import { NotificationSettings } from "@gitbeaker/rest";
import { api, host, person, refusal, token } from "./gitbeaker-setup.mjs";

const seen = {};
const mara = await person("mara", "Mara");
const asMara = mara.api;
const settings = new NotificationSettings({ host, token: mara.token });
const group = await api.Groups.create("Skylark", "skylark", { visibility: "public" });
const hidden = await api.Groups.create("Hidden", "hidden");

// Global
seen.first = await settings.show();
seen.custom = await settings.edit({ level: "custom", newNote: true, failedPipeline: false });
seen.merged = await settings.edit({ newIssue: true });
seen.camelized = await new NotificationSettings({ host, token: mara.token, camelize: true }).show();
seen.watch = await settings.edit({ level: "watch", notificationEmail: "mara@skylark.example" });
seen.bySudo = await new NotificationSettings({ host, token }).show({ sudo: mara.id });

// Of a group
seen.groupFirst = await settings.show({ groupId: "skylark" });
seen.groupEdited = await settings.edit({ groupId: group.id, level: "mention" });
seen.groupShown = await settings.show({ groupId: group.id });
seen.groupBack = await settings.edit({ groupId: group.id, level: "global" });

seen.refused = {
  level: await refusal(settings.edit({ level: "nonsense" })),
  flag: await refusal(settings.edit({ newNote: "maybe" })),
  email: await refusal(settings.edit({ notificationEmail: "nobody@skylark.example" })),
  group: await refusal(settings.show({ groupId: hidden.id })),
  project: await refusal(settings.show({ projectId: "skylark/none" })),
  anonymous: await refusal(new NotificationSettings({ host, token: "no-such-token" }).show()),
};

// Associations
seen.counts = await api.Users.showAssociationsCount(mara.id);
seen.ownCounts = await asMara.Users.showAssociationsCount(mara.id);
seen.refused.counts = await refusal(asMara.Users.showAssociationsCount(1));

console.log(JSON.stringify(seen));
