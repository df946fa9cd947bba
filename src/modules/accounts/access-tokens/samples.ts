import type { SampleScene, Samples } from "../../kernel/sample.ts";

const onOwn = async ({ call, caller }: SampleScene) => {
  const token = await call("POST /users/:user_id/personal_access_tokens", { path: { user_id: caller.id } });
  return { path: { id: token.get("id") } };
};
const endsToken = { unsuited: "ends the token that the call is made with" };

export const accessTokenSamples: Samples = {
  "POST /users/:user_id/personal_access_tokens": { json: { name: "laptop", scopes: ["read_api"] } },
  "POST /user/personal_access_tokens": { json: { name: "own", scopes: ["k8s_proxy"] } },
  "GET /personal_access_tokens/:id": onOwn,
  "DELETE /personal_access_tokens/:id": onOwn,
  "POST /personal_access_tokens/:id/rotate": onOwn,
  "DELETE /personal_access_tokens/self": endsToken,
  "POST /personal_access_tokens/self/rotate": endsToken,
  "POST /users/:user_id/impersonation_tokens": { json: { name: "help", scopes: ["api"] } },
};
