import { deleteNewest, type SampleScene, type Samples } from "../../kernel/sample.ts";

const create = ({ fresh }: SampleScene) => ({
  json: { key: `KEY_${fresh().replaceAll(/\W/g, "_")}`, value: "blue", protected: true },
});
const createOfInstance = async (scene: SampleScene) => {
  await deleteNewest(scene, {
    list: "GET /admin/ci/variables",
    remove: "DELETE /admin/ci/variables/:key",
    ...{ parameter: "key", field: "key", keep: 17 },
  });
  return create(scene);
};
const update = { json: { value: "green" } };

export const variableSamples: Samples = {
  "POST /projects/:id/variables": create,
  "PUT /projects/:id/variables/:key": update,
  "POST /groups/:id/variables": create,
  "PUT /groups/:id/variables/:key": update,
  "POST /admin/ci/variables": createOfInstance,
  "PUT /admin/ci/variables/:key": update,
};
