import { defineModule } from "../../kernel/module.ts";
import { LiveFeed } from "./live-feed.ts";
import { consoleOperations } from "./operations.ts";
import { liveOperations } from "./operations-live.ts";

export { LiveFeed, listenersMax } from "./live-feed.ts";

export const consoleModule = defineModule({
  name: "console",
  operations: { Monitoring: liveOperations, Console: consoleOperations },
  services: [LiveFeed],
});
