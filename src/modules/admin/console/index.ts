import { defineModule } from "../../kernel/module.ts";
import { LiveFeed } from "./live-feed.ts";

export { LiveFeed, listenersMax } from "./live-feed.ts";

export const consoleModule = defineModule({
  name: "console",
  areas: ["-/console", "-/figures"],
  operations: async () => (await import("./api.ts")).operations,
  services: [LiveFeed],
});
