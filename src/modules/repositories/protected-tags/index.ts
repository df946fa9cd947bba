import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { protectedTags } from "./records.ts";

export { canCreateTag, isProtectedTag, protectedTagTest, tagRefusal } from "./policy.ts";

export const protectedTagsModule = defineModule({
  name: "protected-tags",
  tag: "Protected tags",
  about: { "Protected tags": "Rules that say who may make which tags." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).protectedTagOperations,
  samples: async () => (await import("./samples.ts")).protectedTagSamples,
  collections: [protectedTags],
  on: [deletedWithProject(protectedTags)],
});
