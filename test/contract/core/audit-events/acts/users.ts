import { signIn } from "../../../../support/browser/browser-session.ts";
import type { Person } from "../../../../support/fixtures/world.ts";
import { type Act, change, type Expected, fresh, instance } from "./act.ts";

const failedLogin = { failed_login: "STANDARD", custom_message: "Failed to login with STANDARD authentication" };

export const userActs: Readonly<Record<string, Act>> = {
  "POST /users": async (_, world) => {
    const username = fresh();
    const user = await world.user({ username, name: "Ines" });
    return aboutUser(user, "user_created", { add: "user", custom_message: `User ${username} created` });
  },
  "a sign-in by password": async (_, world) => {
    const password = "a long password 17";
    const user = await world.user({ username: fresh(), name: "Ines", password, force_random_password: false });
    await signIn(world, { login: user.username, password });
    return aboutUser(user, "authenticated_with_password", { custom_message: "Signed in with password" });
  },
  "a sign-in by an access token": async (_, world) => {
    const user = await world.user({ username: fresh(), name: "Ines" });
    await signIn(world, { token: user.token });
    return aboutUser(user, "authenticated_with_access_token", { custom_message: "Signed in with access token" });
  },
  "a wrong password": async (_, world) => {
    const user = await world.user({ username: fresh(), name: "Ines" });
    await world.call("POST", "/-/session", { json: { login: user.username, password: "wrong password" } });
    return aboutUser(user, "login_failed_with_standard_authentication", failedLogin);
  },
  "a wrong login": async (_, world) => {
    const login = fresh();
    await world.call("POST", "/-/session", { json: { login, password: "wrong password" } });
    return {
      event: "login_failed_with_standard_authentication",
      entity: instance,
      target: ["UnauthenticatedAuthor", -1, login],
      act: failedLogin,
    };
  },
  "a user's email": async (call, world) => {
    const user = await world.user({ username: fresh(), name: "Ines", email: `${fresh()}@old.example` });
    const email = `${fresh()}@new.example`;
    await call("PUT", `/users/${user.id}`, { email, skip_reconfirmation: true });
    return aboutUser(user, "user_email_address_updated", change("email address", user.email, email));
  },
  "a user's username": userChange(
    "user_username_updated",
    "username",
    { username: "ines-of-old" },
    "PATH",
    "ines-of-old",
  ),
  "a user's name": userChange("user_name_updated", "name", { name: "Inès" }, "Ines", "Inès"),
  "a user's password": async (call, world) => {
    const user = await world.user({ username: fresh() });
    await call("PUT", `/users/${user.id}`, { password: "a long password 17" });
    return aboutUser(user, "user_password_updated", { change: "password", custom_message: "Changed password" });
  },
  "whether a user is an administrator": userChange(
    "user_admin_status_updated",
    "admin status",
    { admin: true },
    "false",
    "true",
  ),
  "whether a user is an auditor": userChange(
    "user_auditor_status_updated",
    "auditor status",
    { auditor: true },
    "false",
    "true",
  ),
  "whether a user is external": userChange(
    "user_external_status_updated",
    "external status",
    { external: true },
    "false",
    "true",
  ),
  "DELETE /users": async (call, world) => {
    const user = await world.user({ username: fresh() });
    await call("DELETE", `/users/${user.id}`);
    return aboutUser(user, "user_destroyed", { remove: "user" });
  },
  block: userState("user_blocked", "Blocked user", "block"),
  unblock: userState("unblock_user", "Unblocked user", "unblock", { state: "blocked" }),
  ban: userState("ban_user", "Banned user", "ban"),
  unban: userState("unban_user", "Unbanned user", "unban", { state: "banned" }),
  deactivate: userState("user_deactivate", "Deactivated user", "deactivate", { last_activity_on: null }),
  activate: userState("user_activate", "Activated user", "activate", { state: "deactivated" }),
  approve: userState("user_approved", "Approved user", "approve", { state: "blocked_pending_approval" }),
  reject: userState("user_rejected", "Rejected user", "reject", { state: "blocked_pending_approval" }),
  "POST /users/:id/emails": async (call, world) => {
    const user = await world.user({ username: fresh() });
    const email = `${fresh()}@second.example`;
    const { body } = await call("POST", `/users/${user.id}/emails`, { email });
    return aboutUser(user, "email_created", { add: "email" }, ["Email", body.id, email]);
  },
  "DELETE /users/:id/emails": async (call, world) => {
    const user = await world.user({ username: fresh() });
    const email = `${fresh()}@second.example`;
    const { body } = await call("POST", `/users/${user.id}/emails`, { email });
    await call("DELETE", `/users/${user.id}/emails/${body.id}`);
    return aboutUser(user, "email_destroyed", { remove: "email" }, ["Email", body.id, email]);
  },
  "a personal access token made": tokenAct("personal_access_token_created", "Created"),
  "a personal access token revoked": tokenAct("personal_access_token_revoked", "Revoked"),
};

function userChange(event: string, name: string, json: object, from: string, to: string): Act {
  return async (call, world) => {
    const username = fresh();
    const user = await world.user({ username, name: "Ines", email: `${username}@old.example` });
    await call("PUT", `/users/${user.id}`, json);
    const path = "username" in json ? String(json.username) : username;
    const shown = "name" in json ? String(json.name) : "Ines";
    const act = change(name, from === "PATH" ? username : from, to);
    return { event, entity: ["User", user.id, path], target: ["User", user.id, shown], act };
  };
}

function userState(event: string, custom_message: string, way: string, before: object = {}): Act {
  return async (call, world) => {
    const user = await world.user({ username: fresh(), name: "Ines" });
    world.alter(user.id, before);
    await call("POST", `/users/${user.id}/${way}`);
    return aboutUser(user, event, { custom_message });
  };
}

function aboutUser(
  { id, username, record }: Person,
  event: string,
  act: object,
  target?: Expected["target"],
): Expected {
  return { event, entity: ["User", id, username], target: target ?? ["User", id, record.name], act };
}

function tokenAct(event: string, verb: string): Act {
  return async (call, world) => {
    const user = await world.user({ username: fresh() });
    const { id } = await world.token(user.id, { name: "laptop" });
    if (verb === "Revoked") await call("DELETE", `/personal_access_tokens/${id}`);
    const act = { custom_message: `${verb} personal access token with id ${id}` };
    return aboutUser(user, event, act, ["PersonalAccessToken", id, "laptop"]);
  };
}
