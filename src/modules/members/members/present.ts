import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { Access, type EffectiveMembership, namespacesOf, type Source } from "../../core/access/index.ts";
import { findUser, getUser, hasSamlUsers, presentBasicUser, samlIdentityOf } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { NamespaceRecord } from "../../groups-and-projects/namespaces-api/records.ts";
import type { View } from "../../kernel/view.ts";
import { hierarchyMembersOf, isBillable } from "./hierarchy-members.ts";
import { canManageMembers } from "./policy.ts";
import type { MembershipRecord } from "./records.ts";
import type { Member } from "./schema.ts";

/** A caller's view of the members of a source, for the answer to one request. */
export interface MemberView extends View {
  readonly source: Source;
  /** The top of the tree that the source is in. */
  readonly root: NamespaceRecord | undefined;
  readonly isAdministrator: boolean;
  readonly ownsSingleSignOn: boolean;
  readonly isSeatShown: boolean;
}

export function memberView(
  { context, caller, baseUrl }: View,
  source: Source,
  { isSeatShown = false }: { readonly isSeatShown?: boolean | undefined } = {},
): MemberView {
  const { store, edition } = context;
  const access = context.get(Access);
  const root = namespacesOf(store, source).at(-1);
  const isAdministrator = caller.user?.is_admin === true;
  const hasSingleSignOn = root?.kind === "group" && includesTier(edition, "premium") && hasSamlUsers(store, root.id);
  const ownsSingleSignOn = hasSingleSignOn && access.levelInGroup(caller.user, root.id) >= accessLevels.owner;
  return { context, caller, source, baseUrl, root, isAdministrator, ownsSingleSignOn, isSeatShown };
}

/** members-and-access 4.2, of a direct membership. */
export function presentMember(row: MembershipRecord, view: MemberView): Static<typeof Member> {
  return presentAtLevel(row, view, { level: row.access_level, isCreatedByShown: true });
}

/** members-and-access 4.2, of a membership in any way. */
export function presentEffectiveMember(way: EffectiveMembership, view: MemberView): Static<typeof Member> {
  return presentAtLevel(way.row, view, { level: way.level, isCreatedByShown: isCreatorShown(view, way) });
}

function presentAtLevel(
  row: MembershipRecord,
  view: MemberView,
  { level, isCreatedByShown }: { readonly level: AccessLevel; readonly isCreatedByShown: boolean },
): Static<typeof Member> {
  const { context, isSeatShown } = view;
  const user = getUser(context.store, row.user_id);
  const creator = row.created_by_id === null ? undefined : findUser(context.store, row.created_by_id);
  const basic = presentBasicUser(user, view);
  return {
    ...basic,
    state: row.state === "awaiting" ? "awaiting" : basic.state,
    access_level: level,
    created_at: row.created_at,
    ...(creator === undefined || !isCreatedByShown ? {} : { created_by: presentBasicUser(creator, view) }),
    expires_at: row.expires_at,
    ...(includesTier(context.edition, "premium") ? { membership_state: row.state } : {}),
    ...enterpriseFields(view, user),
    ...(isSeatShown ? { is_using_seat: isUsingSeat(view, user, level) } : {}),
  };
}

/** The address shows to administrators, and to owners for accounts of their own single sign-on. */
function enterpriseFields({ isAdministrator, ownsSingleSignOn, root }: MemberView, user: UserRecord) {
  const identity = ownsSingleSignOn && root !== undefined ? samlIdentityOf(user, root.id) : undefined;
  return {
    ...(isAdministrator || identity !== undefined ? { email: user.email } : {}),
    ...(ownsSingleSignOn && root !== undefined
      ? {
          group_saml_identity:
            identity === undefined
              ? null
              : { extern_uid: identity.extern_uid, provider: identity.provider, saml_provider_id: root.id },
        }
      : {}),
  };
}

function isUsingSeat({ context, root }: MemberView, user: UserRecord, level: AccessLevel): boolean {
  if (!includesTier(context.edition, "premium")) return user.state === "active" && user.user_type === "human";
  const held = root?.kind === "group" ? hierarchyMembersOf(context, root.id).get(user.id)?.level : level;
  return held !== undefined && isBillable(context, user, held);
}

/** Rule 6: callers who see members of a private group only through a share do not learn who added them. */
function isCreatorShown({ context, caller, source }: MemberView, { channel }: EffectiveMembership): boolean {
  if (channel.link === undefined) return true;
  const group = context.store.of(groups).get(channel.link.group_id);
  if (group === undefined || context.get(Access).canSeeGroup(caller.user, group)) return true;
  return canManageMembers(context, caller, source);
}
