// Drives @gitbeaker/rest against the server at HOST with the administrator's TOKEN, and prints what it saw.
import { Gitlab, Metadata, PersonalAccessTokens, Users } from "@gitbeaker/rest";
import { api, host, token } from "./gitbeaker-setup.mjs";

const seen = { runtime: process.versions.bun === undefined ? `node ${process.versions.node}` : "bun" };

/** The status of a refused call. */
async function refusal(call) {
  try {
    return { accepted: await call };
  } catch (error) {
    const { name, message, cause } = error;
    return { name, message, description: cause?.description, status: cause?.response?.status };
  }
}

const newUser = (username, more = {}) => ({
  email: `${username}@skylark.example`,
  username,
  name: `${username[0].toUpperCase()}${username.slice(1)} Skylark`,
  forceRandomPassword: true,
  ...more,
});

// The installation
seen.metadata = await new Metadata({ host, token }).show();
seen.currentUser = await api.Users.showCurrentUser();

// Creating
seen.created = await api.Users.create(
  newUser("mara", { bio: "Sails, “æther” & 漢字 🙂", skipConfirmation: true, projectsLimit: 7 }),
);
seen.createdExpanded = await api.Users.create({
  ...newUser("ines", { externUid: "i-1", provider: "saml" }),
  showExpanded: true,
});
for (let count = 1; count <= 45; count += 1) await api.Users.create(newUser(`crew${String(count).padStart(2, "0")}`));
seen.external = await api.Users.create(
  newUser("guest", { external: true, password: "a long password 17", forceRandomPassword: false }),
);

// Showing
seen.shown = await api.Users.show(seen.created.id);
seen.shownExpanded = await api.Users.show(seen.created.id, { showExpanded: true });
seen.shownCamelized = await new Users({ host, token, camelize: true }).show(seen.created.id);

// Lists: gitbeaker follows the pages by itself
const names = (users) => users.map((user) => user.username);
seen.all = names(await api.Users.all());
seen.allByHundred = names(await api.Users.all({ perPage: 100 }));
seen.allAscending = names(await api.Users.all({ orderBy: "id", sort: "asc", perPage: 7 }));
seen.keyset = names(await api.Users.all({ pagination: "keyset", orderBy: "id", sort: "asc", perPage: 7 }));
seen.keysetByName = names(await api.Users.all({ pagination: "keyset", orderBy: "name", sort: "asc", perPage: 9 }));
seen.keysetDefault = names(await api.Users.all({ pagination: "keyset", perPage: 20 }));
seen.onePage = names(await api.Users.all({ orderBy: "id", sort: "asc", page: 2, perPage: 5 }));
seen.maxPages = names(await api.Users.all({ orderBy: "id", sort: "asc", perPage: 5, maxPages: 3 }));
const expanded = await api.Users.all({ page: 2, perPage: 10, showExpanded: true });
seen.expanded = { count: expanded.data.length, pagination: expanded.paginationInfo };
const expandedKeyset = await api.Users.all({ pagination: "keyset", orderBy: "id", perPage: 10, showExpanded: true });
seen.expandedKeyset = { count: expandedKeyset.data.length, pagination: expandedKeyset.paginationInfo };

// Filters
seen.byUsername = names(await api.Users.all({ username: "MARA" }));
seen.bySearch = names(await api.Users.all({ search: "crew0", orderBy: "username", sort: "asc" }));
seen.byEmail = names(await api.Users.all({ search: "ines@skylark.example" }));
seen.externals = names(await api.Users.all({ external: true }));
seen.withoutExternals = (await api.Users.all({ excludeExternal: true })).length;
seen.activeHumans = (await api.Users.all({ active: true, humans: true, withoutProjectBots: true })).length;
seen.blocked = names(await api.Users.all({ blocked: true }));
seen.admins = names(await api.Users.all({ admins: true }));
seen.byIdentity = names(await api.Users.all({ externUid: "i-1", provider: "saml" }));
seen.createdBefore = names(await api.Users.all({ createdBefore: "2001-01-01T00:00:00Z" }));
seen.createdAfter = (await api.Users.all({ createdAfter: "2001-01-01T00:00:00Z", perPage: 100 })).length;

// Tokens
const tokens = api.PersonalAccessTokens;
seen.token = await api.Users.createPersonalAccessToken(seen.created.id, "laptop", ["api"], { expiresAt: inDays(30) });
seen.secondToken = await new PersonalAccessTokens({ host, token }).create(seen.created.id, "reader", [
  "read_user",
  "read_api",
]);
seen.tokens = (await tokens.all({ userId: seen.created.id })).map(({ name }) => name);
seen.tokensFound = (await tokens.all({ search: "lap", revoked: false, state: "active" })).map(({ name }) => name);
seen.tokenShown = await tokens.show({ tokenId: seen.token.id });
const mara = new Gitlab({ host, token: seen.token.token });
const reader = new Gitlab({ host, token: seen.secondToken.token });
seen.ownToken = await mara.PersonalAccessTokens.show();
seen.ownTokens = (await mara.PersonalAccessTokens.all()).map(({ name }) => name);
seen.asMara = await mara.Users.showCurrentUser();
seen.byBearer = (await new Gitlab({ host, oauthToken: seen.token.token }).Users.showCurrentUser()).username;
seen.byFunction = (await new Gitlab({ host, token: async () => seen.token.token }).Users.showCurrentUser()).username;
seen.seenByMara = await mara.Users.show(seen.createdExpanded.data.id);
seen.listedForMara = (await mara.Users.all({ perPage: 5, maxPages: 1 })).map((user) =>
  Object.keys(user).sort().join(),
)[0];

// In the name of another
seen.sudoById = (await api.Users.showCurrentUser({ sudo: seen.created.id })).username;
seen.sudoByName = (await new Gitlab({ host, token, sudo: "ines" }).Users.showCurrentUser()).username;
seen.sudoPages = names(await api.Users.all({ sudo: "mara", perPage: 15 })).length;

// Refusals
seen.refused = {
  unknownUser: await refusal(api.Users.show(987654)),
  emailTaken: await refusal(api.Users.create(newUser("other", { email: "MARA@skylark.example" }))),
  usernameTaken: await refusal(api.Users.create(newUser("Mara", { email: "other@skylark.example" }))),
  missing: await refusal(api.Users.create({ username: "nobody" })),
  noPassword: await refusal(api.Users.create({ ...newUser("nobody"), forceRandomPassword: undefined })),
  badName: await refusal(api.Users.create(newUser("nobody", { name: "", username: "-no" }))),
  shortPassword: await refusal(api.Users.create(newUser("nobody", { forceRandomPassword: false, password: "short" }))),
  badOrder: await refusal(api.Users.all({ orderBy: "shoe_size" })),
  badPage: await refusal(api.Users.all({ page: "abc" })),
  badBoolean: await refusal(api.Users.all({ active: "maybe" })),
  badCursor: await refusal(api.Users.all({ pagination: "keyset", orderBy: "id", cursor: "!!" })),
  tooDeep: await refusal(api.Users.all({ page: 600, perPage: 100 })),
  badToken: await refusal(new Gitlab({ host, token: "no-such-token-at-all" }).Users.showCurrentUser()),
  anonymous: await refusal(new Gitlab({ host }).Users.showCurrentUser()),
  anonymousList: await refusal(new Gitlab({ host }).Users.all()),
  notAdministrator: await refusal(mara.Users.create(newUser("nobody"))),
  notAdministratorTokens: await refusal(mara.Users.createPersonalAccessToken(1, "t", ["api"])),
  othersToken: await refusal(mara.PersonalAccessTokens.show({ tokenId: 1 })),
  scopeTooSmall: await refusal(reader.PersonalAccessTokens.remove({ tokenId: seen.token.id })),
  sudoByOthers: await refusal(mara.Users.showCurrentUser({ sudo: "root" })),
  sudoUnknown: await refusal(api.Users.showCurrentUser({ sudo: "nobody-here" })),
  badScope: await refusal(api.Users.createPersonalAccessToken(seen.created.id, "t", ["everything"])),
  noScopes: await refusal(api.Users.createPersonalAccessToken(seen.created.id, "t", [])),
  tooLong: await refusal(
    api.Users.createPersonalAccessToken(seen.created.id, "t", ["api"], { expiresAt: inDays(4000) }),
  ),
  unknownToken: await refusal(tokens.show({ tokenId: 987654 })),
};

// The end of tokens
seen.removed = await reader.PersonalAccessTokens.remove();
seen.afterRemoval = await refusal(reader.PersonalAccessTokens.show());
seen.removedById = await tokens.remove({ tokenId: seen.token.id });
seen.afterRemovalById = await refusal(mara.Users.showCurrentUser());
seen.revoked = (await tokens.all({ revoked: true, userId: seen.created.id })).map(({ name }) => name);

function inDays(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

console.log(JSON.stringify(seen));
