import type { SampleScene, Samples } from "../../kernel/sample.ts";

type Source = "/groups/:id" | "/projects/:id";

const samplesIn = (source: Source): Samples => ({
  [`POST ${source}/labels`]: ({ fresh }) => ({ json: { name: fresh(), color: "#d9534f" } }),
  [`PUT ${source}/labels/:label_id`]: { json: { color: "#abcdef" } },
  [`PUT ${source}/labels`]: async (scene) => ({
    json: { name: await nameOfNew(scene, source), description: "About the manual" },
  }),
  [`DELETE ${source}/labels`]: async (scene) => ({ query: { name: await nameOfNew(scene, source) } }),
  [`POST ${source}/labels/:label_id/subscribe`]: { isMadeByCaller: true },
  [`POST ${source}/labels/:label_id/unsubscribe`]: { after: [`POST ${source}/labels/:label_id/subscribe`] },
});

const nameOfNew = async ({ call }: SampleScene, source: Source) => (await call(`POST ${source}/labels`)).get("name");

export const labelSamples: Samples = {
  ...samplesIn("/projects/:id"),
  ...samplesIn("/groups/:id"),
  "PUT /projects/:id/labels/promote": async (scene) => ({ json: { name: await nameOfNew(scene, "/projects/:id") } }),
};
