import { defineModule } from "../../kernel/module.ts";
import { releaseEvents } from "./events.ts";
import { releases } from "./records.ts";
import { projectReleaseRemoval, releaseUserRemoval, tagReleaseRemoval } from "./removal.ts";

export { releaseEvents } from "./events.ts";

export const releasesModule = defineModule({
  name: "releases",
  tag: "Releases",
  about: { Releases: "What a project has published under its tags, with links to the files." },
  areas: ["groups", "projects"],
  operations: async () => {
    const parts = await Promise.all([
      import("./operations.ts").then((file) => file.releaseOperations),
      import("./operations-addresses.ts").then((file) => file.releaseAddressOperations),
      import("./operations-links.ts").then((file) => file.releaseLinkOperations),
      import("./operations-group.ts").then((file) => file.groupReleaseOperations),
    ]);
    return parts.flat();
  },
  samples: async () => (await import("./samples.ts")).releaseSamples,
  collections: [releases],
  events: releaseEvents.all,
  on: [projectReleaseRemoval, releaseUserRemoval, tagReleaseRemoval],
});
