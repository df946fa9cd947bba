import { defineModule } from "../../kernel/module.ts";
import { signingKeys } from "./records.ts";
import { SigningKey } from "./signing-key.ts";

export type { IdTokenClaims } from "./claims.ts";
export { SigningKey } from "./signing-key.ts";

export const idTokensModule = defineModule({
  name: "id-tokens",
  tag: "Runners",
  // `/.well-known` has no area of its own: what follows a point counts as the ending of a path.
  areas: ["", "oauth"],
  operations: async () => (await import("./operations.ts")).idTokenOperations,
  services: [SigningKey],
  collections: [signingKeys],
});
