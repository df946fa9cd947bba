import type { Static } from "@sinclair/typebox";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { TriggerRecord } from "./records.ts";
import type { Trigger } from "./schema.ts";
import { shortTokenOf } from "./service.ts";

/** triggers-and-pipelines 1: the whole token only for its owner. */
export function presentTrigger(trigger: TriggerRecord, view: View): Static<typeof Trigger> {
  const {
    context: { store },
    caller: { user },
  } = view;
  const owner = findUser(store, trigger.owner_id);
  const { id, token, description, created_at, updated_at, last_used, expires_at } = trigger;
  return {
    id,
    token: trigger.owner_id === user?.id ? token : shortTokenOf(trigger),
    description,
    created_at,
    updated_at,
    last_used,
    expires_at,
    owner: owner === undefined ? null : presentBasicUser(owner, view),
  };
}
