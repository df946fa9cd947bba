/** The users that a request makes assignees or reviewers. */

import { includesTier } from "../../../domain/edition.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";

/** The users who may be chosen, each once; community keeps only the first. */
export function chosenUsers(
  { store, edition }: Context,
  wanted: readonly number[],
  mayBeChosen: (user: UserRecord) => boolean,
): number[] {
  const chosen = [...new Set(wanted)].filter((id) => {
    const user = findUser(store, id);
    return user !== undefined && mayBeChosen(user);
  });
  return includesTier(edition, "premium") ? chosen : chosen.slice(0, 1);
}
