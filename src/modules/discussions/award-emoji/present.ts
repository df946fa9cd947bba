import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { AwardEmojiRecord } from "./records.ts";
import type { AwardEmoji } from "./schema.ts";

/** issues-labels-milestones-epics 4. */
export function presentAward(award: AwardEmojiRecord, view: View): Static<typeof AwardEmoji> {
  const {
    context: { store },
  } = view;
  const { id, name, user_id, created_at, updated_at, awardable_id, awardable_type } = award;
  return {
    id,
    name,
    user: presentBasicUser(getUser(store, user_id), view),
    created_at,
    updated_at,
    awardable_id,
    awardable_type,
    url: null,
  };
}
