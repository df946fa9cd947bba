import type { Samples, Scene } from "./scene.ts";

export function groupSamples({ fresh }: Scene): Samples {
  return {
    "POST /groups": () => {
      const path = fresh();
      return { path: "/groups", options: { json: { name: path, path } } };
    },
    "GET /groups/:id": (_, { groupId }) => ({ path: `/groups/${groupId}` }),
  };
}
