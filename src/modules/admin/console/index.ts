import { defineModule } from "../../kernel/module.ts";
import { LiveFeed } from "./live-feed.ts";

export { LiveFeed, listenersMax } from "./live-feed.ts";

export const consoleModule = defineModule({
  name: "console",
  about: { Console: "The pages for people." },
  areas: ["-/console", "-/figures"],
  operations: async () => {
    const [{ consoleOperations }, { liveOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-live.ts"),
    ]);
    return { Monitoring: liveOperations, Console: consoleOperations };
  },
  samples: async () => (await import("./samples.ts")).consoleSamples,
  services: [LiveFeed],
  stop: (context) => context.get(LiveFeed).close(),
});
