// Drives what @gitbeaker/rest has about groups and namespaces, and prints what it saw.
import { Gitlab, Groups } from "@gitbeaker/rest";
import { api, host, person, refusal, token } from "./gitbeaker-setup.mjs";

const seen = {};
const pathsOf = (groups) => groups.map((group) => group.full_path);

const mara = await person("mara", "Mara");
const asMara = mara.api;

// Making
const top = await asMara.Groups.create("Skylark", "skylark", { visibility: "public", description: "Birds" });
seen.top = top;
const sub = await asMara.Groups.create("Core Team", "core", { parentId: top.id, visibility: "public" });
seen.sub = sub;
const picture = new Blob([Buffer.from(process.env.PICTURE, "base64")]);
seen.pictured = await asMara.Groups.create("Pictured", "pictured", {
  avatar: { content: picture, filename: "logo.png" },
});
for (let count = 1; count <= 25; count += 1) {
  await asMara.Groups.create(`Nest ${count}`, `nest-${count}`, { parentId: sub.id });
}

// Reading
seen.shown = await asMara.Groups.show("skylark/core");
seen.withoutProjects = await asMara.Groups.show(top.id, { withProjects: false });
seen.camelized = await new Groups({ host, token, camelize: true }).show(top.id);
seen.all = pathsOf(await asMara.Groups.all({ topLevelOnly: true }));
seen.mine = (await asMara.Groups.all({ owned: true, perPage: 10 })).length;
seen.anonymous = pathsOf(
  await new Gitlab({ host }).Groups.all({ pagination: "keyset", orderBy: "name", sort: "asc", perPage: 1 }),
);
seen.search = pathsOf(await asMara.Groups.search("lark/cor", { perPage: 2, maxPages: 1 }));
seen.skipped = pathsOf(await api.Groups.all({ skipGroups: [top.id], topLevelOnly: true }));
seen.statistics = (await api.Groups.all({ statistics: true, search: "pictured" }))[0].statistics;
seen.subgroups = pathsOf(await asMara.Groups.allSubgroups(top.id));
seen.descendants = (await asMara.Groups.allDescendantGroups("skylark", { perPage: 7 })).length;
const page = await asMara.Groups.allDescendantGroups(top.id, { perPage: 10, page: 2, showExpanded: true });
seen.expanded = { count: page.data.length, pagination: page.paginationInfo };

// Changing
seen.edited = await asMara.Groups.edit(top.id, { name: "Skylarks", defaultBranch: "trunk" });
seen.withoutPicture = await asMara.Groups.removeAvatar(seen.pictured.id);
seen.moved = await asMara.Groups.transfer(sub.id);
seen.movedBack = await asMara.Groups.transfer(sub.id, { groupId: seen.pictured.id });

// Namespaces
seen.namespaces = (await asMara.Namespaces.all({ topLevelOnly: true })).map((namespace) => namespace.full_path);
seen.namespace = await asMara.Namespaces.show("skylark");
seen.exists = await asMara.Namespaces.exists("skylark");
seen.existsNot = await asMara.Namespaces.exists("core", { parentId: top.id });

// Refusals
seen.refused = {
  taken: await refusal(asMara.Groups.create("Skylark", "SKYLARK")),
  takenLater: await refusal(asMara.Groups.edit(top.id, { path: "pictured" })),
  notMine: await refusal(new Gitlab({ host }).Groups.edit(top.id, { name: "x" })),
  hidden: await refusal(new Gitlab({ host }).Groups.show("pictured")),
  badTransfer: await refusal(asMara.Groups.transfer(top.id)),
  namespace: await refusal(asMara.Namespaces.show("root")),
};

// Removing
seen.removed = await asMara.Groups.remove(top.id);
seen.afterwards = await refusal(asMara.Groups.show(top.id));
seen.again = (await asMara.Groups.create("Skylark", "skylark")).full_path;
await refusal(api.Users.remove(mara.id)).then((refused) => {
  seen.soleOwner = refused;
});

console.log(JSON.stringify(seen));
