import { rootToken } from "../../../support/fixtures/world.ts";
import { at, type Samples, type Scene } from "../scene.ts";

export function accessTokenSamples({ world, ann }: Scene): Samples {
  const tokenOf = (userId: number) => world.token(userId, { name: "sample", scopes: ["read_api"] });
  const impersonation = `/users/${ann.id}/impersonation_tokens`;
  const impersonationToken = async () => {
    const { body } = await world.call("POST", impersonation, { token: rootToken, json: { name: "sample" } });
    return { path: `${impersonation}/${body.id}` };
  };
  return {
    "GET /personal_access_tokens": at("/personal_access_tokens"),
    "GET /personal_access_tokens/:id": async (caller) => ({
      path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}`,
    }),
    "GET /personal_access_tokens/self": at("/personal_access_tokens/self"),
    "POST /users/:user_id/personal_access_tokens": at(`/users/${ann.id}/personal_access_tokens`, {
      json: { name: "made", scopes: ["api"] },
    }),
    "POST /user/personal_access_tokens": at("/user/personal_access_tokens", {
      json: { name: "own", scopes: ["k8s_proxy"] },
    }),
    "DELETE /personal_access_tokens/:id": async (caller) => ({
      path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}`,
    }),
    "DELETE /personal_access_tokens/self": at("/personal_access_tokens/self"),
    "POST /personal_access_tokens/:id/rotate": async (caller) => ({
      path: `/personal_access_tokens/${(await tokenOf(caller.id)).id}/rotate`,
    }),
    "GET /users/:user_id/impersonation_tokens": at(impersonation),
    "POST /users/:user_id/impersonation_tokens": at(impersonation, { json: { name: "made" } }),
    "GET /users/:user_id/impersonation_tokens/:impersonation_token_id": impersonationToken,
    "DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id": impersonationToken,
    "POST /personal_access_tokens/self/rotate": at("/personal_access_tokens/self/rotate"),
  };
}
