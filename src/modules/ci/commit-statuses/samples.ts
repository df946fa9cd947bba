import { fromReporters, type SampleScene, type Samples } from "../../kernel/sample.ts";

const sha = "main";

async function withCommit({ once, call }: SampleScene) {
  await once("commit", () => call("POST /projects/:id/repository/commits"));
  return {};
}

export const commitStatusSamples: Samples = {
  "GET /projects/:id/repository/commits/:sha/statuses": { path: { sha }, make: withCommit, status: fromReporters },
  "POST /projects/:id/statuses/:sha": async (scene) => {
    await withCommit(scene);
    return { path: { sha }, json: { state: "success", name: `lint ${scene.fresh()}` } };
  },
};
