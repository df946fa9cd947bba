import { at, type Samples, type Scene } from "./scene.ts";

export function groupSamples({ fresh }: Scene): Samples {
  return {
    "GET /groups": at("/groups", { query: { all_available: true } }),
    "GET /groups/:id/subgroups": (_, { groupId }) => ({ path: `/groups/${groupId}/subgroups` }),
    "GET /groups/:id/descendant_groups": (_, { groupId }) => ({ path: `/groups/${groupId}/descendant_groups` }),
    "POST /groups": () => {
      const path = fresh();
      return { path: "/groups", options: { json: { name: path, path } } };
    },
    "GET /groups/:id": (_, { groupId }) => ({ path: `/groups/${groupId}` }),
  };
}
