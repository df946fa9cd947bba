import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { AwardEmojiRecord } from "../../planning/records/index.ts";

/** issues-labels-milestones-epics 4. */
export function presentAward({ store }: Context, award: AwardEmojiRecord, baseUrl: string) {
  const { id, name, user_id, created_at, updated_at, awardable_id, awardable_type } = award;
  return {
    id,
    name,
    user: presentBasicUser(getUser(store, user_id), baseUrl),
    created_at,
    updated_at,
    awardable_id,
    awardable_type,
    url: null,
  };
}
