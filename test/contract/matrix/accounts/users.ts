import type { UserRecord } from "../../../../src/modules/core/users/records.ts";
import { pictureFile } from "../../../support/browser/pictures.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import { at, type MakeSample, type Samples, type Scene } from "../scene.ts";

export function userSamples(scene: Scene): Samples {
  const { world, ann, fresh } = scene;
  /** A user of its own for each call, changed in the store before. */
  const onNew =
    (suffix: string, attributes: Partial<UserRecord> = {}): MakeSample =>
    async () => {
      const username = fresh();
      const { id } = await world.user({ username, email: `${username}@people.example` });
      world.alter(id, attributes);
      return { path: `/users/${id}${suffix}` };
    };
  const pending = { state: "blocked_pending_approval" } as const;
  const identities = [{ provider: "saml", extern_uid: "x", saml_provider_id: null }];
  return {
    "GET /-/avatars/:picture": at("/-/avatars/1.svg"),
    "GET /uploads/-/system/user/avatar/:id/:filename": async () => {
      const multipart = new FormData();
      multipart.set("avatar", pictureFile("png", "face.png"));
      const { body } = await world.call("PUT", "/user/avatar", { token: ann.token, multipart });
      return { path: new URL(body.avatar_url).pathname };
    },
    "PUT /user/avatar": () => {
      const multipart = new FormData();
      multipart.set("avatar", pictureFile("png", "face.png"));
      return { path: "/user/avatar", options: { multipart } };
    },
    "GET /users": at("/users", { query: { username: "ann" } }),
    "GET /users/:id": at(`/users/${ann.id}`),
    "GET /user": at("/user"),
    "POST /users": () => {
      const username = fresh();
      const json = { username, name: username, email: `${username}@people.example`, force_random_password: true };
      return { path: "/users", options: { json } };
    },
    "PUT /users/:id": at(`/users/${ann.id}`, { json: { bio: "Sails" } }),
    "DELETE /users/:id": onNew(""),
    "POST /users/:id/block": onNew("/block"),
    "POST /users/:id/unblock": onNew("/unblock"),
    "POST /users/:id/deactivate": onNew("/deactivate"),
    "POST /users/:id/activate": onNew("/activate"),
    "POST /users/:id/ban": onNew("/ban"),
    "POST /users/:id/unban": onNew("/unban", { state: "banned" }),
    "POST /users/:id/approve": onNew("/approve", pending),
    "POST /users/:id/reject": onNew("/reject", pending),
    "DELETE /users/:id/identities/:provider": onNew("/identities/saml", { identities }),
    "PATCH /users/:id/disable_two_factor": onNew("/disable_two_factor", { two_factor_enabled: true }),
    ...emailSamples(scene),
  };
}

function emailSamples({ world, ann, fresh }: Scene): Samples {
  const newEmail = () => ({ email: `${fresh()}@second.example` });
  const added = async (id: number) =>
    (await world.call("POST", `/users/${id}/emails`, { token: rootToken, json: newEmail() })).body.id;
  const own: MakeSample = async ({ id }) => ({ path: `/user/emails/${await added(id)}` });
  return {
    "GET /user/emails": at("/user/emails"),
    "GET /user/emails/:email_id": own,
    "POST /user/emails": () => ({ path: "/user/emails", options: { json: newEmail() } }),
    "DELETE /user/emails/:email_id": own,
    "GET /users/:id/emails": at(`/users/${ann.id}/emails`),
    "POST /users/:id/emails": () => ({ path: `/users/${ann.id}/emails`, options: { json: newEmail() } }),
    "DELETE /users/:id/emails/:email_id": async () => ({ path: `/users/${ann.id}/emails/${await added(ann.id)}` }),
  };
}
