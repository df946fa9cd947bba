import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { awardToggleRequested } from "../../planning/quick-actions/index.ts";
import { awardEmojiEvents } from "./events.ts";
import { awardEmoji } from "./records.ts";
import { toggleAward } from "./service.ts";
import { awardUserRemoval } from "./user-removal.ts";

export { awardEmojiEvents } from "./events.ts";

export const awardEmojiModule = defineModule({
  name: "award-emoji",
  tag: "Award emoji",
  about: { "Award emoji": "Emoji reactions to issues, snippets and their notes." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).awardOperations,
  samples: async () => (await import("./samples.ts")).awardSamples,
  collections: [awardEmoji],
  events: awardEmojiEvents.all,
  on: [awardUserRemoval, subscribe(awardToggleRequested, { run: toggleAward })],
});
