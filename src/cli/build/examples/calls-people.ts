import { pendingIds } from "./demo-server.ts";
import type { Recorder } from "./recorder.ts";

const json = { "Content-Type": "application/json" };

/** Records calls about accounts, sessions and members of the demo. */
export async function recordPeople(recorder: Recorder, password: string): Promise<void> {
  await recordAccount(recorder);
  await recordStates(recorder);
  await recordSession(recorder, password);
  await recordMembers(recorder);
}

async function recordAccount(recorder: Recorder): Promise<void> {
  await recorder.api("PUT /users/:id/custom_attributes/:key", "/users/2/custom_attributes/desk", {
    body: { value: "by the window" },
  });
  const avatar = new FormData();
  avatar.append("avatar", new File([Buffer.from(smallestPng, "base64")], "root.png", { type: "image/png" }));
  await recorder.api("PUT /user/avatar", "/user/avatar", { body: avatar });
  const { field } = await recorder.api("POST /users/:id/personal_access_tokens", "/users/2/personal_access_tokens", {
    body: { name: "laptop", scopes: ["api"] },
  });
  await recorder.api("GET /personal_access_tokens/self/associations", "/personal_access_tokens/self/associations", {
    headers: { "PRIVATE-TOKEN": field("token") },
  });
}

/** A PNG image of one pixel. */
const smallestPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function recordStates(recorder: Recorder): Promise<void> {
  for (const verb of ["block", "unblock", "ban", "unban"]) {
    await recorder.api(`POST /users/:id/${verb}`, `/users/41/${verb}`);
  }
  const made = await recorder.api("POST /users", "/users", {
    body: {
      username: "deploy-bot",
      name: "Deploy bot",
      email: "deploy-bot@skylark.example",
      force_random_password: true,
    },
  });
  for (const verb of ["deactivate", "activate"]) {
    await recorder.api(`POST /users/:id/${verb}`, `/users/${made.field("id")}/${verb}`);
  }
  const [approved, rejected] = pendingIds;
  await recorder.api("POST /users/:id/approve", `/users/${approved}/approve`);
  await recorder.api("POST /users/:id/reject", `/users/${rejected}/reject`);
}

async function recordSession(recorder: Recorder, password: string): Promise<void> {
  const signIn = { headers: json, body: { login: "root", password } };
  const { headers } = await recorder.call("POST /-/session", "/-/session", signIn);
  const Cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  await recorder.call("GET /-/session", "/-/session", { headers: { Cookie } });
  await recorder.call("GET /-/sessions", "/-/sessions");
  await recorder.call("PUT /-/account", "/-/account", { body: { location: "Lisbon" } });
  await recorder.api("POST /user/emails", "/user/emails", { body: { email: "keeper@skylark.example" } });
  const { field } = await recorder.call("GET /-/outbox", "/-/outbox?per_page=1");
  const confirmation_token = /confirmation_token=(\w+)/.exec(field("text"))?.[1];
  await recorder.call("POST /-/account/confirmations", "/-/account/confirmations", { body: { confirmation_token } });
  await recorder.call("POST /-/sign-in-codes", "/-/sign-in-codes", { body: { user: "mara.quist" } });
}

async function recordMembers(recorder: Recorder): Promise<void> {
  await recorder.api("POST /projects/:id/import_project_members/:project_id", "/projects/23/import_project_members/18");
  const { field } = await recorder.api("POST /users/:id/personal_access_tokens", "/users/40/personal_access_tokens", {
    body: { name: "phone", scopes: ["api"] },
  });
  const headers = { "PRIVATE-TOKEN": field("token") };
  await recorder.api("POST /groups/:id/access_requests", "/groups/53/access_requests", { headers });
  await recorder.api("POST /projects/:id/access_requests", "/projects/2/access_requests", { headers });
  await recorder.api("POST /groups/:id/members", "/groups/54/members", { body: { user_id: 41, access_level: 30 } });
  await recorder.api("PUT /groups/:id/members/:user_id/state", "/groups/54/members/41/state", {
    body: { state: "awaiting" },
  });
  await recorder.api("GET /groups/:id/pending_members", "/groups/54/pending_members");
  await recorder.api("POST /projects/:id/share", "/projects/23/share", { body: { group_id: 51, group_access: 20 } });
}
