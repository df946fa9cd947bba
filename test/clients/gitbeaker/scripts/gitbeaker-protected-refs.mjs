// Protected branches and tags with the stock client; prints what it saw as one line of JSON.
import { api, person, refusal, statusOf } from "./gitbeaker-setup.mjs";

const seen = {};
const levels = (rows) => rows.map(({ access_level }) => access_level);
const { id } = await api.Projects.create({ name: "Ledger", path: "ledger", initializeWithReadme: true });
const mara = await person("mara");
await api.ProjectMembers.add(id, 30, { userId: mara.id });

seen.atBirth = (await api.ProtectedBranches.all(id)).map(({ name }) => name);
await api.ProtectedBranches.unprotect(id, "main");
const main = await api.ProtectedBranches.create(id, "main", {
  pushAccessLevel: 0,
  allowedToMerge: [{ user_id: mara.id }, { user_id: 1 }],
});
seen.main = [levels(main.push_access_levels), main.merge_access_levels.map((row) => row.access_level_description)];
const stable = await api.ProtectedBranches.protect(id, "*-stable", { mergeAccessLevel: 30, allowForcePush: true });
seen.stable = [
  stable.name,
  levels(stable.push_access_levels),
  levels(stable.merge_access_levels),
  stable.allow_force_push,
];
seen.shown = (await api.ProtectedBranches.show(id, "*-stable")).name;
seen.found = (await api.ProtectedBranches.all(id, { search: "stab" })).map(({ name }) => name);
seen.edited = (await api.ProtectedBranches.edit(id, "*-stable", { allowForcePush: false })).allow_force_push;
seen.taken = await refusal(api.ProtectedBranches.create(id, "main"));
await api.ProtectedBranches.remove(id, "*-stable");
seen.left = (await api.ProtectedBranches.all(id)).map(({ name }) => name);

seen.file = await statusOf(mara.api.RepositoryFiles.create(id, "a.txt", "main", "x", "Add a"));
seen.administrator = await statusOf(api.RepositoryFiles.create(id, "a.txt", "main", "x", "Add a"));

const rule = await api.ProtectedTags.create(id, "v*");
seen.tagRule = [rule.name, levels(rule.create_access_levels)];
seen.tagRules = (await api.ProtectedTags.all(id)).map(({ name }) => name);
seen.tagShown = (await api.ProtectedTags.show(id, "v*")).name;
seen.tagTaken = await refusal(api.ProtectedTags.create(id, "v*"));
seen.tag = await statusOf(mara.api.Tags.create(id, "v1", "main"));
await api.ProtectedTags.remove(id, "v*");
seen.tagLater = await statusOf(mara.api.Tags.create(id, "v1", "main"));

seen.tidied = await statusOf(api.Branches.removeMerged(id));
const [newest] = await api.Commits.all(id, { withStats: true });
seen.stats = [newest.stats, (await api.Commits.show(id, "main", { stats: true })).stats];

console.log(JSON.stringify(seen));
