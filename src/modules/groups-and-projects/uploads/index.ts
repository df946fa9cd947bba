import { deletedWithProject } from "../../core/namespaces/index.ts";
import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { uploadEvents } from "./events.ts";
import { uploads } from "./records.ts";
import { removeSender } from "./service.ts";

export const uploadsModule = defineModule({
  name: "uploads",
  tag: "Uploads",
  about: { Uploads: "Files of a project that its texts and releases link to." },
  areas: ["-/project", "projects"],
  operations: async () => (await import("./operations.ts")).uploadOperations,
  samples: async () => (await import("./samples.ts")).uploadSamples,
  collections: [uploads],
  events: uploadEvents.all,
  // The blobs are swept.
  on: [
    deletedWithProject(uploads),
    subscribe(userRemovalStep, {
      phase: 3,
      run: (tx, { store }, { user, budget }) =>
        budget.each(
          () => store.of(uploads).by.user_id.find(user.id),
          (id) => removeSender(tx, store, id),
        ),
    }),
  ],
});
