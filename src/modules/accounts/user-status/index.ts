import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { userStatuses } from "./records.ts";
import { removeStatusOf } from "./service.ts";

export const userStatusModule = defineModule({
  name: "user-status",
  tag: "Users",
  areas: ["user", "users"],
  operations: async () => (await import("./operations.ts")).userStatusOperations,
  samples: async () => (await import("./samples.ts")).userStatusSamples,
  collections: [userStatuses],
  on: [subscribe(userRemovalStep, { run: (tx, { store }, { user }) => removeStatusOf(tx, store, user.id) })],
});
