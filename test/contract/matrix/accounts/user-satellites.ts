import { rootToken } from "../../../support/fixtures/world.ts";
import { at, type Samples, type Scene } from "../scene.ts";

export function userSatelliteSamples({ world, ann, fresh }: Scene): Samples {
  const attributes = `/users/${ann.id}/custom_attributes`;
  const withAttribute = async (key: string) => {
    await world.call("PUT", `${attributes}/${key}`, { token: rootToken, json: { value: "x" } });
    return { path: `${attributes}/${key}` };
  };
  return {
    "GET /users/:id/custom_attributes": at(attributes),
    "GET /users/:id/custom_attributes/:key": () => withAttribute("read"),
    "PUT /users/:id/custom_attributes/:key": at(`${attributes}/made`, { json: { value: "x" } }),
    "DELETE /users/:id/custom_attributes/:key": () => withAttribute(fresh()),
    "GET /user/status": at("/user/status"),
    "GET /users/:id_or_username/status": at("/users/ann/status"),
    "PUT /user/status": at("/user/status", { json: { message: "here" } }),
    "PATCH /user/status": at("/user/status", { json: { emoji: "tea" } }),
    "GET /user/preferences": at("/user/preferences"),
    "PUT /user/preferences": at("/user/preferences", { json: { show_whitespace_in_diffs: false } }),
    "GET /user/activities": at("/user/activities"),
    "GET /user_counts": at("/user_counts"),
    "GET /users/:id/followers": at(`/users/${ann.id}/followers`),
    "GET /users/:id/following": at(`/users/${ann.id}/following`),
    "POST /users/:id/follow": async () => ({ path: `/users/${(await world.user()).id}/follow` }),
    "POST /users/:id/unfollow": async (caller) => {
      const { id } = await world.user();
      await world.call("POST", `/users/${id}/follow`, { token: caller.token });
      return { path: `/users/${id}/unfollow` };
    },
  };
}
