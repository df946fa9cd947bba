// Releases, their links and those of a group with the stock client; prints what it saw as one line of JSON.
import { api, refusal } from "./gitbeaker-setup.mjs";

const seen = {};
const namesOf = (found) => found.map(({ name }) => name);
const group = await api.Groups.create("Tools", "tools");
const { id } = await api.Projects.create({ name: "Ledger", namespaceId: group.id, initializeWithReadme: true });

const made = await api.ProjectReleases.create(id, {
  tagName: "v1",
  name: "One",
  description: "The first",
  ref: "main",
  assets: { links: [{ name: "linux", url: `${process.env.HOST}/-/health`, direct_asset_path: "/bin/linux" }] },
});
seen.made = [made.tag_name, made.name, made.assets.count];
seen.taken = await refusal(api.ProjectReleases.create(id, { tagName: "v1" }));
seen.listed = namesOf(await api.ProjectReleases.all(id));
seen.shown = (await api.ProjectReleases.show(id, "v1")).description;
seen.edited = (await api.ProjectReleases.edit(id, "v1", { description: "The very first" })).description;
seen.latest = (await api.ProjectReleases.showLatest(id)).tag_name;

const link = await api.ReleaseLinks.create(id, "v1", "mac", "https://files.example.com/mac", {
  linkType: "package",
  directAssetPath: "/bin/mac",
});
seen.link = [link.name, link.link_type, link.direct_asset_url.slice(process.env.HOST.length)];
seen.editedLink = (await api.ReleaseLinks.edit(id, "v1", link.id, { name: "macOS" })).name;
seen.links = namesOf(await api.ReleaseLinks.all(id, "v1"));
seen.shownLink = (await api.ReleaseLinks.show(id, "v1", link.id)).name;
await api.ReleaseLinks.remove(id, "v1", link.id);
seen.left = namesOf(await api.ReleaseLinks.all(id, "v1"));

seen.ofGroup = namesOf(await api.GroupReleases.all(group.id));
await api.ProjectReleases.remove(id, "v1");
seen.gone = await refusal(api.ProjectReleases.show(id, "v1"));

console.log(JSON.stringify(seen));
