import { avatarForm, type Sample, type SampleScene, type Samples } from "../../kernel/sample.ts";

const onNew: Sample = { isOnNew: true };
const newEmail = ({ fresh }: SampleScene) => ({ json: { email: `${fresh()}@second.example` } });
const newUser = ({ fresh }: SampleScene) => {
  const username = fresh();
  const email = `${username}@people.example`;
  return { username, name: username, email, force_random_password: true, skip_confirmation: true };
};

export const userSamples: Samples = {
  "GET /users": ({ user: { username } }) => ({ query: { username } }),
  "POST /users": (scene) => ({ json: newUser(scene) }),
  "PUT /users/:id": { json: { bio: "Sails" } },
  "DELETE /users/:id": onNew,
  "POST /users/:id/block": onNew,
  "POST /users/:id/unblock": { ...onNew, after: ["POST /users/:id/block"] },
  "POST /users/:id/deactivate": onNew,
  "POST /users/:id/activate": { ...onNew, after: ["POST /users/:id/deactivate"] },
  "POST /users/:id/ban": onNew,
  "POST /users/:id/unban": { ...onNew, after: ["POST /users/:id/ban"] },
  "POST /users/:id/approve": { unsuited: "no call makes a user who waits for approval" },
  "POST /users/:id/reject": { unsuited: "no call makes a user who waits for approval" },
  "DELETE /users/:id/identities/:provider": async (scene) => {
    const identity = { provider: "saml", extern_uid: scene.fresh() };
    const user = await scene.call("POST /users", { json: { ...newUser(scene), ...identity } });
    return { path: { id: user.get("id"), provider: "saml" } };
  },
  "PATCH /users/:id/disable_two_factor": { unsuited: "no call turns two-factor authentication on" },
  "POST /user/emails": { make: newEmail, isMadeByCaller: true },
  "POST /users/:id/emails": newEmail,
  "PUT /user/avatar": () => ({ multipart: avatarForm() }),
  "GET /-/avatars/:picture": { path: { picture: "1.svg" } },
  "GET /uploads/-/system/user/avatar/:id/:filename": async ({ call }) => ({
    address: (await call("PUT /user/avatar")).pathAt("avatar_url"),
  }),
  "POST /users/:id/follow": { ...onNew, isMadeByCaller: true },
  "POST /users/:id/unfollow": { ...onNew, after: ["POST /users/:id/follow"] },
  "PUT /users/:id/custom_attributes/:key": ({ fresh }) => ({
    path: { key: fresh() },
    json: { value: "by the window" },
  }),
};
