import { defineModule } from "../../kernel/module.ts";
import { pushedProjectRequested } from "./events.ts";
import { MadeByPush } from "./push-notices.ts";

export { type PathPush, pushedProjectRequested } from "./events.ts";

export const gitTransportModule = defineModule({
  name: "git-transport",
  tag: "Repositories",
  areas: ["*"],
  operations: async () => {
    const parts = await Promise.all([
      import("./operations-plain-files.ts").then((file) => file.plainFileOperations),
      import("./operations.ts").then((file) => file.gitTransportOperations),
    ]);
    return parts.flat();
  },
  services: [MadeByPush],
  events: [pushedProjectRequested],
  samples: async () => (await import("./samples.ts")).gitTransportSamples,
});
