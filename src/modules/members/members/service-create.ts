import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { type AttributeErrors, conflict, notFound } from "../../../domain/failure.ts";
import type { Transaction } from "../../../store/index.ts";
import { levelIn, type Source } from "../../core/access/index.ts";
import { findUser, findUserByUsername } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { checkedDraftOf, type MemberDraft, validateDraft } from "./levels.ts";
import { isProtected, requireMemberManager, requireMemberReader, requireUnlockedMembership } from "./policy.ts";
import type { MembershipRecord } from "./records.ts";
import type { AddedMembers, AddMember } from "./schema.ts";
import { findMembership } from "./service-direct-memberships.ts";
import { insertMembership, updateMembership } from "./service-memberships.ts";

type Parameters = Static<typeof AddMember>;

/** The row of the one that was added, or how it went with several. */
export type Added = { readonly row: MembershipRecord } | { readonly several: Static<typeof AddedMembers> };

const severalMax = 100;

/** `POST /SRC/:id/members` (members-and-access 4.3), with its own order of checks. */
export function createMembers(context: Context, caller: SignedInCaller, source: Source, params: Parameters): Added {
  const draft = draftOf(params);
  const given = (params.user_id ?? params.username ?? "").split(",");
  const names = given.map((name) => name.trim()).filter((name) => name !== "");
  const find = (name: string) =>
    params.user_id === undefined ? findUserByUsername(context.store, name) : findUser(context.store, Number(name));
  if (given.length > 1) return { several: addSeveral(context, caller, source, new Set(names), find, draft) };
  const user = find(names[0] ?? "");
  if (user === undefined) throw notFound("User");
  requireMemberReader(context, caller, source);
  if (findMembership(context, source, user.id) !== undefined) throw conflict("Member already exists");
  requireMemberManager(context, caller, source, draft.access_level);
  requireUnlockedMembership(context, source);
  const checked = validateDraft(context, source, user, draft, true);
  return { row: context.store.transact((tx) => insertMembership(tx, context, caller, source, user, checked)) };
}

/** A day is what an expiry is cut to. */
export function draftOf({ access_level, expires_at, member_role_id }: MemberDraft): MemberDraft {
  return { access_level, expires_at: expires_at?.slice(0, 10) ?? expires_at, member_role_id };
}

/** Adds every user who can be added; members already there get the new level. */
function addSeveral(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  names: ReadonlySet<string>,
  find: (name: string) => UserRecord | undefined,
  draft: MemberDraft,
): Static<typeof AddedMembers> {
  requireMemberManager(context, caller, source, draft.access_level);
  requireUnlockedMembership(context, source);
  if (names.size > severalMax) {
    return { status: "error", message: `Too many users specified (limit is ${severalMax})` };
  }
  const problems = new Map<string, string>();
  context.store.transact((tx) => {
    for (const name of names) {
      const user = find(name);
      const reason = user === undefined ? "User not found" : put(tx, context, caller, source, user, draft);
      if (reason !== undefined) problems.set(user?.username ?? name, reason);
    }
  });
  return outcomeOf(problems);
}

/** The users who could not be added, by username, and the reasons. */
export function outcomeOf(problems: ReadonlyMap<string, string>): Static<typeof AddedMembers> {
  return problems.size === 0 ? { status: "success" } : { status: "error", message: Object.fromEntries(problems) };
}

/** Adds or changes one of several; what it returns is why it could not. */
function put(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  source: Source,
  user: UserRecord,
  draft: MemberDraft,
): string | undefined {
  const row = findMembership(context, source, user.id);
  if (row !== undefined && !canUpdate(context, caller, source, row)) return "Not authorized to update member";
  const checked = checkedDraftOf(context, source, user, draft, row === undefined);
  if ("errors" in checked) return errorSentence(checked.errors);
  if (row === undefined) insertMembership(tx, context, caller, source, user, checked);
  else updateMembership(tx, context, caller, source, user, row, checked);
  return undefined;
}

function canUpdate(context: Context, caller: SignedInCaller, source: Source, row: MembershipRecord): boolean {
  if (isProtected(context, source, row)) return false;
  return row.access_level < accessLevels.owner || levelIn(context, caller, source) >= accessLevels.owner;
}

/** `Access level is not included in the list`. */
export function errorSentence(errors: AttributeErrors): string {
  return Object.entries(errors)
    .flatMap(([attribute, texts]) => (Array.isArray(texts) ? texts.map((text) => `${labelOf(attribute)} ${text}`) : []))
    .join(" and ");
}

function labelOf(attribute: string): string {
  const words = attribute.replace(/_id$/, "").replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
