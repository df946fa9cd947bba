import { defineArea, type Scenario } from "../../scenario.ts";
import { owner, stranger } from "../../setup.ts";
import { createUser } from "../../users.ts";
import { listOf, listWith, pathOf, pattern, someText, text, unique } from "../../values.ts";
import { onePixel } from "../common.ts";

export const users = defineArea("users", (scenario) => {
  lookUp(scenario);
  change(scenario);
  changeStates(scenario);
  useEmails(scenario);
  follow(scenario);
  useOwnAccount(scenario);
});

function lookUp(scenario: Scenario): void {
  scenario.call("GET /users", {}, { query: { username: owner.username }, expect: [{ id: owner.id }] });
  scenario.call("GET /users", {}, { as: "anonymous", status: 403 });
  scenario.call("GET /users", {}, { query: { search: unique("selftest"), per_page: 1 } });
  scenario.call("GET /users/:id", { id: owner.id }, { expect: { username: owner.username, state: "active" } });
  scenario.call("GET /users/:id", { id: 2_147_483_647 }, { status: 404 });
  scenario.call("GET /user", {}, { as: "owner", expect: { id: owner.id, username: owner.username } });
  scenario.call("GET /users/:id/associations_count", { id: owner.id });
  scenario.call("GET /user_counts", {}, { as: "owner" });
  scenario.call("GET /user/activities", {});
}

function change(scenario: Scenario): void {
  const user = createUser(scenario, "changed");
  const id = user.get("id");
  scenario.call("POST /users", {}, { json: { username: "x", name: "x" }, status: 400 });
  scenario.call(
    "POST /users",
    {},
    {
      json: {
        username: user.get("username"),
        name: "x",
        email: text`${unique("other")}@selftest.example`,
        force_random_password: true,
      },
      status: 409,
    },
  );
  scenario.call(
    "PUT /users/:id",
    { id },
    {
      json: { bio: "Sails", provider: "saml", extern_uid: unique("uid") },
      expect: { bio: "Sails", identities: [{ provider: "saml", extern_uid: unique("uid") }] },
    },
  );
  scenario.call("DELETE /users/:id/identities/:provider", { id, provider: "saml" });
  scenario.call("DELETE /users/:id/identities/:provider", { id, provider: "saml" }, { status: 404 });
  scenario.call("PATCH /users/:id/disable_two_factor", { id }, { status: 400 });
  const deleted = createUser(scenario, "deleted").get("id");
  scenario.call("DELETE /users/:id", { id: deleted });
  scenario.call("GET /users/:id", { id: deleted }, { status: 404, waits: true });
}

function changeStates(scenario: Scenario): void {
  const id = createUser(scenario, "states").get("id");
  const becomes = (state: string) => scenario.call("GET /users/:id", { id }, { expect: { state } });
  scenario.call("POST /users/:id/block", { id });
  becomes("blocked");
  scenario.call("POST /users/:id/unblock", { id });
  scenario.call("POST /users/:id/deactivate", { id });
  becomes("deactivated");
  scenario.call("POST /users/:id/activate", { id });
  scenario.call("POST /users/:id/ban", { id });
  becomes("banned");
  scenario.call("POST /users/:id/unban", { id });
  becomes("active");
  scenario.call("POST /users/:id/approve", { id }, { status: 409 });
  scenario.call("POST /users/:id/reject", { id }, { status: 409 });
}

function useEmails(scenario: Scenario): void {
  const { id } = owner;
  const email = text`${unique("second")}@selftest.example`;
  const added = scenario.call(
    "POST /users/:id/emails",
    { id },
    { json: { email, skip_confirmation: true }, expect: { email } },
  );
  scenario.call("POST /users/:id/emails", { id }, { json: { email }, status: 400 });
  scenario.call("GET /users/:id/emails", { id }, { expect: listWith({ email }) });
  scenario.call("DELETE /users/:id/emails/:email_id", { id, email_id: added.get("id") });
  const third = text`${unique("third")}@selftest.example`;
  const own = scenario.call("POST /user/emails", {}, { as: "owner", json: { email: third }, expect: { email: third } });
  const email_id = own.get("id");
  scenario.call("GET /user/emails", {}, { as: "owner", expect: listWith({ email: third }) });
  scenario.call("GET /user/emails/:email_id", { email_id }, { as: "owner", expect: { email: third } });
  scenario.call("DELETE /user/emails/:email_id", { email_id }, { as: "owner" });
  scenario.call("GET /user/emails/:email_id", { email_id }, { as: "owner", status: 404 });
}

function follow(scenario: Scenario): void {
  const { id } = stranger;
  scenario.call("POST /users/:id/follow", { id }, { as: "owner", expect: { id } });
  scenario.call("POST /users/:id/follow", { id }, { as: "owner", status: 304 });
  scenario.call("GET /users/:id/followers", { id }, { as: "owner", expect: [{ id: owner.id }] });
  scenario.call("GET /users/:id/following", { id: owner.id }, { as: "owner", expect: [{ id }] });
  scenario.call("POST /users/:id/unfollow", { id }, { as: "owner" });
  scenario.call("GET /users/:id/followers", { id }, { as: "owner", expect: listOf(0) });
}

function useOwnAccount(scenario: Scenario): void {
  scenario.call(
    "PUT /user/status",
    {},
    { as: "owner", json: { emoji: "tea", message: "A break" }, expect: { message: "A break" } },
  );
  scenario.call("GET /user/status", {}, { as: "owner", expect: { emoji: "tea" } });
  scenario.call("PATCH /user/status", {}, { as: "owner", json: { emoji: "coffee" }, expect: { message: "A break" } });
  scenario.call(
    "GET /users/:id_or_username/status",
    { id_or_username: owner.username },
    { expect: { emoji: "coffee" } },
  );
  scenario.call("GET /user/preferences", {}, { as: "owner" });
  scenario.call(
    "PUT /user/preferences",
    {},
    { as: "owner", json: { show_whitespace_in_diffs: false }, expect: { show_whitespace_in_diffs: false } },
  );
  const picture = { file: { field: "avatar", name: "face.png", bytes: onePixel } };
  const avatar = scenario.call(
    "PUT /user/avatar",
    {},
    { as: "owner", content: picture, expect: { avatar_url: someText } },
  );
  scenario.call("GET /uploads/-/system/user/avatar/:id/:filename", pathOf(avatar.get("avatar_url")), {
    as: "anonymous",
    expectHeaders: { "Content-Type": pattern(/^image\/png/) },
  });
}
