import { accessLevels } from "../../../domain/access-level.ts";
import type { SampleScene, Samples } from "../../kernel/sample.ts";

const create = async ({ add }: SampleScene) => ({ json: { group_id: await add("groups"), group_access: 20 } });

export const shareSamples: Samples = {
  "POST /groups/:id/share": {
    isOnNew: true,
    make: create,
    status: ({ level }) => (level < accessLevels.owner ? 404 : undefined),
  },
  "DELETE /groups/:id/share/:group_id": {
    async make(scene) {
      const [id, { json }] = [await scene.add("groups"), await create(scene)];
      await scene.call("POST /groups/:id/share", { path: { id }, json });
      return { path: { id, group_id: json.group_id } };
    },
    // The share stays when others call.
    status: () => 204,
  },
  "POST /projects/:id/share": create,
};
