import { defineModule } from "../../kernel/module.ts";
import { Exchanges } from "./exchanges.ts";

export { type Exchange, Exchanges, type Message } from "./exchanges.ts";
export { harEntry, harHead, harTail } from "./har.ts";

export const sandboxRequestsModule = defineModule({
  name: "sandbox-requests",
  tag: "Sandbox",
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).requestOperations,
  services: [Exchanges],
});
