import { defineModule } from "../../kernel/module.ts";

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
  samples: async () => (await import("./samples.ts")).gitTransportSamples,
});
