import type { SampleScene, Samples } from "../../kernel/sample.ts";

const create = ({ fresh }: SampleScene) => ({
  json: { key: `KEY_${fresh().replaceAll(/\W/g, "_")}`, value: "blue", protected: true },
});
/** The instance has 25 at most: an old one makes room. */
const createOfInstance = async (scene: SampleScene) => {
  const listed = await scene.call("GET /admin/ci/variables");
  const [oldest, ...others] = JSON.parse(listed.text) as { readonly key: string }[];
  if (oldest !== undefined && others.length >= roomLeftAt) {
    await scene.call("DELETE /admin/ci/variables/:key", { path: { key: oldest.key } });
  }
  return create(scene);
};
const roomLeftAt = 18;
const update = { json: { value: "green" } };

export const variableSamples: Samples = {
  "POST /projects/:id/variables": create,
  "PUT /projects/:id/variables/:key": update,
  "POST /groups/:id/variables": create,
  "PUT /groups/:id/variables/:key": update,
  "POST /admin/ci/variables": createOfInstance,
  "PUT /admin/ci/variables/:key": update,
};
