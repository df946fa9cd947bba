import type { Sample, SampleScene, Samples } from "../../kernel/sample.ts";

const onNew: Sample = { isOnNew: true };

const samplesOf = (kind: "project" | "snippet" | "group"): Samples => ({
  [`POST /${kind}s/:id/repository_storage_moves`]: onNew,
  [`GET /${kind}s/:id/repository_storage_moves`]: onNew,
  [`GET /${kind}s/:id/repository_storage_moves/:repository_storage_move_id`]: onNew,
  [`POST /${kind}_repository_storage_moves`]: {
    json: { source_storage_name: "default" },
    unsuited: `moves all ${kind}s of the instance`,
  },
  [`GET /${kind}_repository_storage_moves/:repository_storage_move_id`]: async ({ call }: SampleScene) => ({
    path: { repository_storage_move_id: (await call(`POST /${kind}s/:id/repository_storage_moves`)).get("id") },
  }),
});

export const storageMoveSamples: Samples = { ...samplesOf("project"), ...samplesOf("snippet"), ...samplesOf("group") };
