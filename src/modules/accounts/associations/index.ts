import { defineModule } from "../../kernel/module.ts";

export const associationsModule = defineModule({
  name: "associations",
  areas: ["personal_access_tokens", "users"],
  operations: async () => (await import("./api.ts")).operations,
});
