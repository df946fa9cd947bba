import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { userPreferences } from "./records.ts";
import { removePreferencesOf } from "./service.ts";

export const preferencesModule = defineModule({
  name: "preferences",
  tag: "Users",
  areas: ["user"],
  operations: async () => (await import("./operations.ts")).userPreferencesOperations,
  samples: async () => (await import("./samples.ts")).preferenceSamples,
  collections: [userPreferences],
  on: [subscribe(userRemovalStep, { run: (tx, { store }, { user }) => removePreferencesOf(tx, store, user.id) })],
});
