// Drives what @gitbeaker/rest has about members, access requests and shares, and prints what it saw.
import { api, person, refusal } from "./gitbeaker-setup.mjs";

const seen = {};
const names = (members) => members.map(({ username }) => username);
const levels = (members) => members.map(({ username, access_level }) => `${username} ${access_level}`);

const mara = await person("mara");
const ines = await person("ines");
const olof = await person("olof");
const group = await api.Groups.create("Skylark", "skylark", { visibility: "public" });
const project = await api.Projects.create({ name: "nest", namespaceId: group.id, visibility: "public" });

for (const [kind, members, requests, id] of [
  ["project", "ProjectMembers", "ProjectAccessRequests", "skylark/nest"],
  ["group", "GroupMembers", "GroupAccessRequests", group.id],
]) {
  const found = {};
  found.added = await api[members].add(id, 30, { userId: mara.id, expiresAt: "2999-01-01" });
  found.again = await refusal(api[members].add(id, 30, { userId: mara.id }));
  found.several = await api[members].add(id, 30, { userId: `${ines.id},${mara.id}` });
  found.edited = await api[members].edit(id, ines.id, 40);
  found.shown = await api[members].show(id, ines.id);
  found.shownInherited = await api[members].show(id, 1, { includeInherited: true });
  found.notDirect = await refusal(api[members].show(id, 4711));
  found.direct = levels(await api[members].all(id, { perPage: 2 }));
  found.all = levels(await api[members].all(id, { includeInherited: true, perPage: 2 }));
  found.filtered = names(await api[members].all(id, { userIds: [mara.id], showSeatInfo: true }));
  found.requested = await olof.api[requests].request(id);
  found.requests = names(await api[requests].all(id));
  found.approved = await api[requests].approve(id, olof.id, { accessLevel: 20 });
  found.left = await olof.api[members].remove(id, olof.id);
  found.requestedAgain = (await olof.api[requests].request(id)).username;
  found.denied = await api[requests].deny(id, olof.id);
  found.none = names(await api[requests].all(id));
  found.refused = await refusal(mara.api[members].add(id, 50, { userId: olof.id }));
  seen[kind] = found;
}

// Seats
seen.billable = names(await api.GroupMembers.allBillable(group.id));
seen.memberships = (await api.GroupMembers.allBillableMemberships(group.id, ines.id)).map(
  ({ source_full_name, access_level }) => `${source_full_name} ${access_level.string_value}`,
);
seen.pending = await api.GroupMembers.allPending(group.id);
seen.approveAll = await api.GroupMembers.approveAll(group.id);
seen.approve = await refusal(api.GroupMembers.approve(group.id, 1));
seen.removedBillable = await api.GroupMembers.removeBillable(group.id, ines.id);
seen.billableAfter = names(await api.GroupMembers.allBillable(group.id));

// Shares
const crew = await api.Groups.create("Crew", "crew");
seen.shared = (await api.Groups.share(group.id, crew.id, 20, {})).shared_with_groups;
seen.sharedProject = await api.Projects.share(project.id, crew.id, 30, {});
seen.unshared = await api.Groups.unshare(group.id, crew.id, {});
seen.unsharedProject = await api.Projects.unshare(project.id, crew.id);
seen.unsharedAgain = await refusal(api.Groups.unshare(group.id, crew.id, {}));

// Of users
seen.ofUser = (await api.Users.allMemberships(mara.id)).map(({ source_name, source_type }) => [
  source_name,
  source_type,
]);
seen.removed = await api.GroupMembers.remove(group.id, mara.id);
seen.afterRemoval = await api.Users.allMemberships(mara.id);

console.log(JSON.stringify(seen));
