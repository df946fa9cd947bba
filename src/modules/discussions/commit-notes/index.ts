import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { commitNoteEvents } from "./events.ts";
import { commitNotes } from "./records.ts";
import { commitNoteUserRemoval } from "./user-removal.ts";

export const commitNotesModule = defineModule({
  name: "commit-notes",
  tag: "Commit comments",
  about: { "Commit comments": "Comments on commits and on lines of their diffs, and discussions of them." },
  areas: ["projects"],
  operations: async () => {
    const [{ commentOperations }, { discussionOperations }] = await Promise.all([
      import("./operations-comments.ts"),
      import("./operations-discussions.ts"),
    ]);
    return [...commentOperations, ...discussionOperations];
  },
  samples: async () => (await import("./samples.ts")).commitNoteSamples,
  collections: [commitNotes],
  events: commitNoteEvents.all,
  on: [deletedWithProject(commitNotes), commitNoteUserRemoval],
});
