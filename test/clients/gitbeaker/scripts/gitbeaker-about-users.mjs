// Drives what @gitbeaker/rest has about users beside the users themselves, and prints what it saw.
import { Gitlab, UserCustomAttributes, UserImpersonationTokens } from "@gitbeaker/rest";
import { api, host, statusOf, token } from "./gitbeaker-setup.mjs";

const seen = {};
const newUser = (username) => ({
  email: `${username}@skylark.example`,
  username,
  name: username,
  forceRandomPassword: true,
});

const mara = await api.Users.create(newUser("mara"));
const ines = await api.Users.create(newUser("ines"));

// Custom attributes
const attributes = new UserCustomAttributes({ host, token });
seen.set = await attributes.set(mara.id, "team", "red");
await attributes.set(mara.id, "ship", "Lark & Co");
seen.attributes = await attributes.all(mara.id);
seen.attribute = await attributes.show(mara.id, "ship");
seen.byAttribute = (await api.Users.all({ custom_attributes: { team: "red" } })).map(({ username }) => username);
seen.withAttributes = (await api.Users.show(mara.id, { withCustomAttributes: true })).custom_attributes;
await attributes.remove(mara.id, "team");
seen.attributesAfter = await attributes.all(mara.id);

// Impersonation
const tokens = new UserImpersonationTokens({ host, token });
seen.token = await tokens.create(mara.id, "support", ["api"]);
const asMara = new Gitlab({ host, token: seen.token.token });
seen.impersonated = (await asMara.Users.showCurrentUser()).username;
seen.tokens = (await tokens.all(mara.id, { state: "active" })).map(({ id }) => id);
seen.shownToken = await tokens.show(mara.id, seen.token.id);

// Rotation
const laptop = await api.Users.createPersonalAccessToken(mara.id, "laptop", ["api"]);
seen.rotated = await api.PersonalAccessTokens.rotate(laptop.id);
seen.afterRotation = await statusOf(new Gitlab({ host, token: laptop.token }).Users.showCurrentUser());
seen.byRotated = (await new Gitlab({ host, token: seen.rotated.token }).Users.showCurrentUser()).username;

// Status, preferences, activities, counts
seen.status = await asMara.Users.editStatus({ emoji: "coffee", message: "At sea", clearStatusAfter: "1_day" });
seen.statusByName = await api.Users.showStatus({ iDOrUsername: "mara" });
seen.ownStatus = await asMara.Users.showStatus();
seen.preferences = await asMara.Users.editCurrentUserPreferences(true, false);
seen.preferencesShown = await asMara.Users.showCurrentUserPreferences();
seen.activities = (await api.Users.allActivities()).map(({ username }) => username);
seen.counts = await asMara.Users.showCount();

// Followers
seen.followed = (await asMara.Users.follow(ines.id)).username;
seen.followedAgain = await statusOf(asMara.Users.follow(ines.id));
seen.followers = (await api.Users.allFollowers(ines.id)).map(({ username }) => username);
seen.following = (await api.Users.allFollowing(mara.id)).map(({ username }) => username);
seen.isFollowed = (await asMara.Users.show(ines.id)).is_followed;
seen.unfollowed = (await asMara.Users.unfollow(ines.id)).username;

// The end
seen.revokedByItself = await statusOf(asMara.PersonalAccessTokens.remove());
await tokens.revoke(mara.id, seen.token.id);
seen.afterRevocation = await statusOf(asMara.Users.showCurrentUser());

console.log(JSON.stringify(seen));
