// Drives what @gitbeaker/rest has about projects against the server at HOST with TOKEN, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host, person, statusOf } from "./gitbeaker-setup.mjs";

const { Projects } = api;
const seen = {};
const paths = (projects) => projects.map(({ path_with_namespace }) => path_with_namespace);

const mara = await person("mara", "Mara Quist");
const acme = await api.Groups.create("Acme", "acme", { visibility: "public" });

// Creating, reading and changing
seen.created = await Projects.create({
  name: "Foo Project",
  namespaceId: acme.id,
  visibility: "public",
  topics: ["web", "api"],
  wikiAccessLevel: "private",
});
const { id } = seen.created;
seen.forUser = await Projects.create({ userId: mara.id, name: "Gift" });
const picture = new Blob([Uint8Array.from(atob(process.env.PICTURE), (character) => character.charCodeAt(0))]);
seen.pictured = (
  await Projects.create({ name: "Drawn", avatar: { content: picture, filename: "face.png" } })
).avatar_url;
seen.shown = (await Projects.show("acme/foo-project", { statistics: true })).statistics;
seen.edited = await Projects.edit(id, { description: "Ships & “sails”", mergeMethod: "ff", issuesEnabled: false });
for (let count = 1; count <= 24; count += 1) await Projects.create({ path: `crew${count}`, namespaceId: acme.id });

// Lists
seen.all = paths(await Projects.all({ orderBy: "id", sort: "asc" })).length;
seen.keyset = (await Projects.all({ pagination: "keyset", orderBy: "id", sort: "asc", perPage: 5 })).map(
  (each) => each.id,
);
seen.keysetDown = (await Projects.all({ pagination: "keyset", orderBy: "id", sort: "desc", perPage: 9 })).map(
  (each) => each.id,
);
seen.search = paths(await Projects.all({ search: "foo", simple: true }));
seen.topic = paths(await Projects.all({ topic: "web,api" }));
seen.ofUser = paths(await api.Users.allProjects(mara.id));
seen.ofGroup = paths(await api.Groups.allProjects(acme.id, { orderBy: "name", sort: "asc", search: "foo" }));
seen.shared = paths(await api.Groups.allSharedProjects(acme.id));
seen.anonymous = paths(await new Gitlab({ host }).Projects.all());

// Acting
seen.starred = (await Projects.star(id)).star_count;
seen.unstarred = (await Projects.unstar(id)).star_count;
seen.archived = [(await Projects.archive(id)).archived, (await Projects.unarchive(id)).archived];
seen.users = (await Projects.allUsers(seen.forUser.id)).map(({ username }) => username);
seen.groups = (await Projects.allGroups(id)).map(({ full_path }) => full_path);
seen.invited = await Projects.allInvitedGroups(id);
seen.storage = await Projects.allStoragePaths(id);
seen.transferred = (await Projects.transfer(id, "mara")).path_with_namespace;
seen.followed = (await Projects.show("acme/foo-project")).path_with_namespace;
seen.withoutPicture = (await Projects.removeAvatar(seen.forUser.id)).avatar_url;

// The end
seen.removed = await Projects.remove(id);
seen.afterRemoval = await statusOf(Projects.show(id));
seen.taken = await statusOf(Projects.create({ path: "crew1", namespaceId: acme.id }));

console.log(JSON.stringify(seen));
