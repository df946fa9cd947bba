import { defineArea, type Scenario } from "../../scenario.ts";
import { owner } from "../../setup.ts";
import { listWith, someText } from "../../values.ts";

/** An expiry date that every server accepts. */
const inAMonth = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

export const personalAccessTokens = defineArea("personal-access-tokens", (scenario) => {
  const user_id = owner.id;
  const create = "POST /users/:user_id/personal_access_tokens";
  const made = scenario.call(
    create,
    { user_id },
    {
      json: { name: "laptop", scopes: ["read_api"], expires_at: inAMonth },
      expect: {
        name: "laptop",
        user_id,
        active: true,
        revoked: false,
        scopes: ["read_api"],
        expires_at: inAMonth,
        token: someText,
      },
    },
  );
  scenario.call(create, { user_id }, { json: { name: "laptop", scopes: ["everything"] }, status: 400 });
  scenario.call("GET /personal_access_tokens", {}, { query: { user_id }, expect: listWith({ id: made.get("id") }) });
  scenario.call("GET /personal_access_tokens/:id", { id: made.get("id") }, { expect: { name: "laptop" } });
  const rotated = scenario.call(
    "POST /personal_access_tokens/:id/rotate",
    { id: made.get("id") },
    { json: { expires_at: inAMonth }, expect: { name: "laptop", token: someText } },
  );
  scenario.call("GET /user", {}, { as: made.get("token"), status: 401 });
  scenario.call("GET /user", {}, { as: rotated.get("token"), expect: { id: user_id } });
  scenario.call("DELETE /personal_access_tokens/:id", { id: rotated.get("id") });
  scenario.call("GET /user", {}, { as: rotated.get("token"), status: 401 });
  scenario.call(
    "POST /user/personal_access_tokens",
    {},
    { as: "owner", json: { name: "own", scopes: ["k8s_proxy"] }, expect: { scopes: ["k8s_proxy"] } },
  );
  useItself(scenario);
});

function useItself(scenario: Scenario): void {
  const made = scenario.call(
    "POST /users/:user_id/personal_access_tokens",
    { user_id: owner.id },
    {
      json: { name: "itself", scopes: ["api"] },
    },
  );
  const as = made.get("token");
  scenario.call("GET /personal_access_tokens/self", {}, { as, expect: { id: made.get("id"), name: "itself" } });
  scenario.call("GET /personal_access_tokens/self/associations", {}, { as });
  const rotated = scenario.call("POST /personal_access_tokens/self/rotate", {}, { as, expect: { name: "itself" } });
  scenario.call("GET /personal_access_tokens/self", {}, { as, status: 401 });
  scenario.call("DELETE /personal_access_tokens/self", {}, { as: rotated.get("token") });
  scenario.call("GET /personal_access_tokens/self", {}, { as: rotated.get("token"), status: 401 });
}

export const impersonationTokens = defineArea("impersonation-tokens", (scenario) => {
  const user_id = owner.id;
  const made = scenario.call(
    "POST /users/:user_id/impersonation_tokens",
    { user_id },
    {
      json: { name: "help", scopes: ["api"], expires_at: inAMonth },
      expect: { name: "help", impersonation: true, active: true, token: someText },
    },
  );
  const one = { user_id, impersonation_token_id: made.get("id") };
  scenario.call("GET /user", {}, { as: made.get("token"), expect: { id: user_id } });
  scenario.call("GET /users/:user_id/impersonation_tokens", { user_id }, { expect: listWith({ name: "help" }) });
  scenario.call("GET /users/:user_id/impersonation_tokens/:impersonation_token_id", one, { expect: { name: "help" } });
  scenario.call("DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id", one);
  scenario.call("GET /user", {}, { as: made.get("token"), status: 401 });
});
