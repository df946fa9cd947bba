import { avatarForm, type Sample, type Samples } from "../../kernel/sample.ts";

const onNew: Sample = { isOnNew: true };

export const projectSamples: Samples = {
  "POST /projects": ({ fresh }) => ({ json: { name: fresh() } }),
  "POST /projects/user/:user_id": ({ fresh, user }) => ({ path: { user_id: user.id }, json: { name: fresh() } }),
  "PUT /projects/:id": ({ fresh }) => ({ json: { description: `All of ${fresh()}` } }),
  "DELETE /projects/:id": onNew,
  "PUT /projects/:id/transfer": { ...onNew, make: async ({ add }) => ({ json: { namespace: await add("groups") } }) },
  "POST /projects/:id/archive": onNew,
  "POST /projects/:id/unarchive": { ...onNew, after: ["POST /projects/:id/archive"] },
  "POST /projects/:id/star": { ...onNew, isMadeByCaller: true },
  "POST /projects/:id/unstar": { ...onNew, after: ["POST /projects/:id/star"] },
  "GET /uploads/-/system/project/avatar/:id/:filename": async ({ call }) => ({
    address: (await call("PUT /projects/:id", { multipart: avatarForm() })).pathAt("avatar_url"),
  }),
};
