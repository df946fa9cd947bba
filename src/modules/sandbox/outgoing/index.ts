import { defineModule } from "../../kernel/module.ts";

export const sandboxOutgoingModule = defineModule({
  name: "sandbox-outgoing",
  tag: "Sandbox",
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).outgoingOperations,
});
