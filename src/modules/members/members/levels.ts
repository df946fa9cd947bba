/** The rules about the level and the expiry of a membership. */

import { type AccessLevel, accessLevelName, accessLevels, isAccessLevel } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { type AttributeErrors, invalid } from "../../../domain/failure.ts";
import { Access, refOf, type Source } from "../../core/access/index.ts";
import { fullNameOf } from "../../core/namespaces/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isBot } from "./policy.ts";

/** The attributes of a new or changed membership. */
export interface MemberDraft {
  readonly access_level: number;
  /** `YYYY-MM-DD`; undefined: as it is. */
  readonly expires_at?: string | null | undefined;
  readonly member_role_id?: number | null | undefined;
}

/** A draft that holds to the rules. */
export type CheckedDraft = MemberDraft & { readonly access_level: AccessLevel };

/** Throws 400 with the errors of every attribute (members-and-access 2). `isNew`: there is no membership to change. */
export function validateDraft(
  context: Context,
  source: Source,
  user: UserRecord,
  draft: MemberDraft,
  isNew: boolean,
): CheckedDraft {
  const checked = checkedDraftOf(context, source, user, draft, isNew);
  if ("errors" in checked) throw invalid(checked.errors);
  return checked;
}

/** The draft, or what is wrong with it. */
export function checkedDraftOf(
  context: Context,
  source: Source,
  user: UserRecord,
  draft: MemberDraft,
  isNew: boolean,
): CheckedDraft | { readonly errors: AttributeErrors & Readonly<Record<string, readonly string[]>> } {
  const { access_level: level, expires_at: expiry } = draft;
  const errors: Record<string, readonly string[]> = {};
  if (!isAssignable(context, source, level)) errors.access_level = ["is not included in the list"];
  else {
    const tooLow = belowInherited(context, source, user, level);
    if (tooLow !== undefined) errors.access_level = [tooLow];
  }
  if (isPast(context, expiry)) errors.expires_at = ["cannot be a date in the past"];
  if (isNew && isBot(user)) errors.user_id = ["project bots cannot be added to other groups / projects"];
  // No custom role exists, so none is of this group.
  if (draft.member_role_id != null && includesTier(context.edition, "ultimate")) errors.member_role = ["not found"];
  if (Object.keys(errors).length > 0) return { errors };
  return { ...draft, access_level: level as AccessLevel };
}

/** Today is not in the past. */
function isPast(context: Context, day: string | null | undefined): boolean {
  return typeof day === "string" && day < context.get(Access).today;
}

function isAssignable({ edition }: Context, source: Source, level: number): level is AccessLevel {
  if (level === accessLevels.minimal) {
    return "group" in source && source.group.parent_id === null && includesTier(edition, "premium");
  }
  return isAccessLevel(level) && level >= accessLevels.guest;
}

function belowInherited(context: Context, source: Source, user: UserRecord, level: AccessLevel): string | undefined {
  const { store } = context;
  const inherited = context.get(Access).inherited(user.id, refOf(source));
  if (inherited === undefined || level >= inherited.level) return undefined;
  const { id } = inherited.channel.source;
  const name = store.of(groups).get(id)?.name ?? fullNameOf(store, id);
  const role = accessLevelName(inherited.level);
  return `should be greater than or equal to ${role} inherited membership from group ${name}`;
}
