import { defineModule } from "../../kernel/module.ts";

export const associationsModule = defineModule({
  name: "associations",
  areas: ["personal_access_tokens", "users"],
  operations: async () => {
    const { tokenAssociationOperations, userAssociationOperations } = await import("./operations.ts");
    return {
      Users: userAssociationOperations,
      "Personal access tokens": tokenAssociationOperations,
    };
  },
  samples: async () => (await import("./samples.ts")).associationSamples,
});
