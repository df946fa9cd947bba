import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Store } from "../../../store/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { TriggerRecord } from "./records.ts";
import { tokenPrefix } from "./service.ts";

/** What those who do not own a token see of it. */
const shownLength = 4;

/** triggers-and-pipelines 1: the whole token only for its owner. */
export function presentTrigger(store: Store, { user }: SignedInCaller, trigger: TriggerRecord, baseUrl: string) {
  const owner = findUser(store, trigger.owner_id);
  const { id, token, description, created_at, updated_at, last_used, expires_at } = trigger;
  return {
    id,
    token: trigger.owner_id === user.id ? token : token.slice(tokenPrefix.length, tokenPrefix.length + shownLength),
    description,
    created_at,
    updated_at,
    last_used,
    expires_at,
    owner: owner === undefined ? null : presentBasicUser(owner, baseUrl),
  };
}
