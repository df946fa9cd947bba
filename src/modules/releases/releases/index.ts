import { deletedWithProject } from "../../core/namespaces/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { releaseEvents } from "./events.ts";
import { releases } from "./records.ts";
import { releaseEvidences } from "./records-evidences.ts";
import { projectReleaseRemoval, releaseUserRemoval, tagReleaseRemoval } from "./removal.ts";
import { collectEvidence, evidenceCollection } from "./service-evidences.ts";

export { releaseEvents } from "./events.ts";
export { canSeeReleases } from "./policy.ts";

export const releasesModule = defineModule({
  name: "releases",
  tag: "Releases",
  about: { Releases: "What a project has published under its tags, with links to the files." },
  areas: ["groups", "projects"],
  operations: async () => {
    const parts = await Promise.all([
      import("./operations.ts").then((file) => file.releaseOperations),
      import("./operations-addresses.ts").then((file) => file.releaseAddressOperations),
      import("./operations-evidences.ts").then((file) => file.releaseEvidenceOperations),
      import("./operations-links.ts").then((file) => file.releaseLinkOperations),
      import("./operations-group.ts").then((file) => file.groupReleaseOperations),
    ]);
    return parts.flat();
  },
  samples: async () => (await import("./samples.ts")).releaseSamples,
  collections: [releases, releaseEvidences],
  jobs: [evidenceCollection],
  events: releaseEvents.all,
  on: [
    subscribe(releaseEvents.created, { run: collectEvidence }),
    subscribe(releaseEvents.updated, { run: collectEvidence }),
    deletedWithProject(releaseEvidences, 4),
    projectReleaseRemoval,
    releaseUserRemoval,
    tagReleaseRemoval,
  ],
});
