import { groupRemoval } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { storageMoveEvents } from "./events.ts";
import { storageMove } from "./job.ts";
import { storageMoves } from "./records.ts";
import { scheduleRest } from "./service-schedule.ts";

export { storageMoveEvents } from "./events.ts";
export { storageMove } from "./job.ts";
export { projectKind } from "./kinds.ts";
export { scheduleIn } from "./service-schedule.ts";

export const storageMovesModule = defineModule({
  name: "storage-moves",
  tag: "Repository storage moves",
  about: { "Repository storage moves": "Moves of repositories between storages." },
  areas: [
    "-/storages",
    "group_repository_storage_moves",
    "groups",
    "project_repository_storage_moves",
    "projects",
    "snippet_repository_storage_moves",
    "snippets",
  ],
  operations: async () => (await import("./operations.ts")).storageMoveOperations,
  samples: async () => (await import("./samples.ts")).storageMoveSamples,
  collections: Object.values(storageMoves),
  events: Object.values(storageMoveEvents).flatMap(({ all }) => all),
  jobs: [storageMove, scheduleRest],
  on: [
    groupRemoval({
      phase: 9,
      remove: (tx, { store }, { id }, limit) =>
        removeFirst(tx, storageMoves.group, store.of(storageMoves.group).by.container.find(id), limit),
    }),
  ],
});
