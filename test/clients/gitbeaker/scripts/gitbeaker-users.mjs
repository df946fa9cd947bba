// Drives what @gitbeaker/rest knows of changing users, and prints what it saw.
import { Gitlab } from "@gitbeaker/rest";
import { api, host } from "./gitbeaker-setup.mjs";

const seen = {};

async function refusal(call) {
  try {
    return { accepted: await call };
  } catch (error) {
    const { cause } = error;
    return { description: cause?.description, status: cause?.response?.status };
  }
}

const { Users, UserEmails } = api;
const png = new Blob([
  Uint8Array.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0", (each) => each.charCodeAt(0)),
]);
const mara = await Users.create({
  username: "mara",
  name: "Mara",
  email: "mara@skylark.example",
  forceRandomPassword: true,
  skipConfirmation: true,
  provider: "saml",
  externUid: "m-1",
});
const { token: maraToken } = await Users.createPersonalAccessToken(mara.id, "own", ["api"]);
const own = new Gitlab({ host, token: maraToken });
const stateOf = async () => (await Users.show(mara.id)).state;

// Modifying: gitbeaker always sends a form of parts, with the names as they are given
seen.edited = await Users.edit(mara.id, { name: "Mara Quist", bio: "Sails 🙂", admin: false, projects_limit: 3 });
seen.pictured = await Users.edit(mara.id, { avatar: { content: png, filename: "face.png" }, location: "Lisbon" });
seen.picture = await fetch(seen.pictured.avatar_url).then((answer) => answer.headers.get("content-type"));
seen.renamed = (await Users.edit(mara.id, { username: "mara.quist" })).web_url;

// States
seen.states = [];
for (const act of ["block", "unblock", "ban", "unban", "deactivate", "activate"]) {
  seen.states.push([act, await Users[act](mara.id), await stateOf()]);
}
seen.blockedTwice = [await Users.block(mara.id), await Users.block(mara.id), await Users.unblock(mara.id)];

// Addresses
seen.added = await UserEmails.create("second@skylark.example", { userId: mara.id, skipConfirmation: true });
seen.addedByHerself = await own.UserEmails.add("third@skylark.example");
seen.addresses = (await UserEmails.all({ userId: mara.id })).map(({ email }) => email);
seen.ownAddresses = (await own.UserEmails.all()).map(({ email }) => email);
seen.shown = await own.UserEmails.show(seen.added.id);
seen.changed = (await Users.edit(mara.id, { email: "second@skylark.example" })).email;
seen.removed = [
  await own.UserEmails.remove(seen.addedByHerself.id),
  await UserEmails.remove((await own.UserEmails.all())[1].id, { userId: mara.id }),
];
seen.addressesLeft = (await own.UserEmails.all()).map(({ email }) => email);

// Identities
seen.identityRemoved = await Users.removeAuthenticationIdentity(mara.id, "saml");
seen.identities = (await Users.show(mara.id)).identities;

seen.refused = {
  taken: await refusal(Users.edit(mara.id, { email: "root@outpost.test" })),
  themselves: await refusal(Users.block(1)),
  active: await refusal(Users.deactivate(1)),
  unban: await refusal(Users.unban(mara.id)),
  approve: await refusal(Users.approve(mara.id)),
  reject: await refusal(Users.reject(mara.id)),
  twoFactor: await refusal(Users.disableTwoFactor(mara.id)),
  identity: await refusal(Users.removeAuthenticationIdentity(mara.id, "saml")),
  address: await refusal(UserEmails.create("root@outpost.test", { userId: mara.id })),
  noAddress: await refusal(own.UserEmails.show(987654)),
  notAdministrator: await refusal(own.Users.remove(1)),
  approveByOthers: await refusal(own.Users.approve(1)),
};

// The end
seen.deleted = await Users.remove(mara.id, { hardDelete: true });
seen.gone = [await refusal(Users.show(mara.id)), await refusal(own.Users.showCurrentUser())];

console.log(JSON.stringify(seen));
