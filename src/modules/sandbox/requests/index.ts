import { defineModule } from "../../kernel/module.ts";
import { Exchanges } from "./exchanges.ts";
import { requestOperations } from "./operations.ts";

export { type Exchange, Exchanges, type Message } from "./exchanges.ts";
export { harEntry, harHead, harTail } from "./har.ts";

export const sandboxRequestsModule = defineModule({
  name: "sandbox-requests",
  tag: "Sandbox",
  operations: requestOperations,
  services: [Exchanges],
});
