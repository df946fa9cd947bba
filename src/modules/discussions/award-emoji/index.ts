import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import type { Operation } from "../../kernel/operation.ts";
import { awardToggleRequested } from "../../planning/quick-actions/index.ts";
import type { Noteable } from "../noteables/index.ts";
import { awardEmojiEvents } from "./events.ts";
import { awardEmoji } from "./records.ts";
import { toggleAward } from "./service.ts";
import { awardUserRemoval } from "./user-removal.ts";

export { awardEmojiEvents } from "./events.ts";

/** Loads the operations on the reactions to one type of things and to notes on them, for a module that has such things. */
export async function loadAwardOperations(noteable: Noteable): Promise<readonly Operation[]> {
  const { operationsOnAwardsOf, operationsOnNoteAwardsOf } = await import("./operations.ts");
  return [...operationsOnAwardsOf(noteable), ...operationsOnNoteAwardsOf(noteable)];
}

export const awardEmojiModule = defineModule({
  name: "award-emoji",
  tag: "Award emoji",
  about: { "Award emoji": "Emoji reactions to issues, merge requests, snippets and their notes." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).awardOperations,
  samples: async () => (await import("./samples.ts")).awardSamples,
  collections: [awardEmoji],
  events: awardEmojiEvents.all,
  on: [awardUserRemoval, subscribe(awardToggleRequested, { run: toggleAward })],
});
