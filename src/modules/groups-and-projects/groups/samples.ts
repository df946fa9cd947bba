import { avatarForm, type Samples } from "../../kernel/sample.ts";

export const groupSamples: Samples = {
  "GET /groups": { query: { all_available: true } },
  "POST /groups": ({ fresh }) => {
    const path = fresh();
    return { json: { name: path, path } };
  },
  "PUT /groups/:id": ({ fresh }) => ({ json: { description: `All of ${fresh()}` } }),
  "DELETE /groups/:id": { isOnNew: true },
  "POST /groups/:id/transfer": {
    isOnNew: true,
    make: async ({ add }) => ({ json: { group_id: await add("groups") } }),
  },
  "GET /uploads/-/system/group/avatar/:id/:filename": async ({ call }) => ({
    address: (await call("PUT /groups/:id", { multipart: avatarForm() })).pathAt("avatar_url"),
  }),
};
