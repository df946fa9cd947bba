import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { JsonText } from "../../../lib/text/json-text.ts";
import type { Context } from "../../kernel/context.ts";
import { PresentedJsonCache } from "../../kernel/presented-json-cache.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { View } from "../../kernel/view.ts";
import { Access } from "../access/index.ts";
import { presentCustomAttributes } from "../custom-attributes/index.ts";
import { countFollows, isFollowing } from "../follows/index.ts";
import { canReadAsAdministrator, canSeeProfile } from "./policy.ts";
import { type UserRecord, users } from "./records.ts";
import type { BasicUser, OwnUser, User, UserWithAdmin } from "./schema.ts";

/** users-and-auth 4.1. */
export function presentBasicUser(user: UserRecord, { baseUrl }: Pick<View, "baseUrl">): Static<typeof BasicUser> {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    locked: false,
    avatar_url: avatarUrl(user, baseUrl),
    web_url: `${baseUrl}/${user.username}`,
  };
}

export function avatarUrl({ id, avatar }: UserRecord, baseUrl: string): string {
  if (avatar === undefined) return `${baseUrl}/-/avatars/${id}.svg`;
  return `${baseUrl}/uploads/-/system/user/avatar/${id}/${encodeURIComponent(avatar.filename)}`;
}

/** Keeps the entries of lists as they were presented last. */
class ListedUserTexts {
  readonly basic = new PresentedJsonCache(presentBasicUser);
  readonly #context: Context;
  #forAdministrators: PresentedJsonCache<UserRecord> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The same for all administrators: the texts depend on the edition and not on the rights of one user. */
  forAdministrators({ user }: Caller): PresentedJsonCache<UserRecord> {
    const administrator: Caller = { user, token: undefined, ipAddress: null };
    this.#forAdministrators ??= new PresentedJsonCache((listed, { baseUrl }) =>
      presentUserWithAdmin(listed, { context: this.#context, caller: administrator, baseUrl }),
    );
    return this.#forAdministrators;
  }
}

export const UserJsonCache = serviceKey("user-texts", (context) => new ListedUserTexts(context));

/**
 * Entries of a list, as this caller sees them: 4.4 for administrators, else 4.1. Only administrators get custom
 * attributes, and only when asked.
 */
export function userPresenter(
  view: View,
  { withCustomAttributes }: { readonly withCustomAttributes: boolean | undefined },
): (user: UserRecord) => JsonText {
  const { context, caller } = view;
  const texts = context.get(UserJsonCache);
  if (!canReadAsAdministrator(context, caller)) return (user) => texts.basic.textOf(user, view);
  const cache = texts.forAdministrators(caller);
  const { store } = context;
  return (user) => {
    const { followers, following } = countFollows(store, user.id);
    if (withCustomAttributes !== true && followers === 0 && following === 0) {
      return cache.textOf(user, view, creatorOf(context, user));
    }
    // The user's document does not have the follows, and they depend on the caller.
    const added = withCustomAttributes === true ? presentCustomAttributes({ resource: "User", id: user.id }, view) : {};
    return JsonText.of({ ...presentUserWithAdmin(user, view), ...added });
  };
}

/** users-and-auth 4.2. */
export function presentUser(user: UserRecord, view: View): Static<typeof User> {
  const { context, caller } = view;
  const isOpen = canSeeProfile(context, caller, user);
  return {
    ...presentBasicUser(user, view),
    ...(isOpen ? { created_at: user.created_at } : {}),
    bio: user.bio,
    location: user.location,
    public_email: user.public_email,
    skype: user.skype,
    linkedin: user.linkedin,
    twitter: user.twitter,
    discord: user.discord,
    website_url: user.website_url,
    organization: user.organization,
    job_title: user.job_title,
    pronouns: user.pronouns,
    bot: user.user_type === "project_bot" || user.user_type === "group_bot",
    work_information: workInformation(user),
    ...(isOpen ? presentFollows(user, view) : {}),
    local_time: null,
  };
}

/** users-and-auth 4.3. */
export function presentOwnUser(user: UserRecord, view: View): Static<typeof OwnUser> {
  const { context, baseUrl } = view;
  return {
    ...presentUser(user, view),
    last_sign_in_at: user.last_sign_in_at,
    confirmed_at: user.confirmed_at,
    last_activity_on: user.last_activity_on,
    email: user.email,
    theme_id: user.theme_id,
    color_scheme_id: user.color_scheme_id,
    projects_limit: user.projects_limit,
    current_sign_in_at: user.current_sign_in_at,
    identities: user.identities.map(({ provider, extern_uid, saml_provider_id }) => ({
      provider,
      extern_uid,
      saml_provider_id,
    })),
    can_create_group: user.can_create_group,
    can_create_project: user.projects_limit > 0,
    two_factor_enabled: user.two_factor_enabled,
    external: user.external,
    private_profile: user.private_profile,
    commit_email: commitEmail(user, baseUrl),
    preferred_language: user.preferred_language,
    ...(includesTier(context.edition, "premium")
      ? {
          shared_runners_minutes_limit: user.shared_runners_minutes_limit,
          extra_shared_runners_minutes_limit: user.extra_shared_runners_minutes_limit,
          scim_identities: [],
        }
      : {}),
  };
}

/** users-and-auth 4.4. */
export function presentUserWithAdmin(user: UserRecord, view: View): Static<typeof UserWithAdmin> {
  const { context } = view;
  const creator = creatorOf(context, user);
  return {
    ...presentOwnUser(user, view),
    is_admin: user.is_admin,
    note: user.note,
    namespace_id: user.namespace_id,
    created_by: creator === undefined ? null : presentBasicUser(creator, view),
    email_reset_offered_at: null,
    ...(includesTier(context.edition, "premium")
      ? {
          is_auditor: user.is_auditor,
          using_license_seat: user.state === "active" && user.user_type === "human",
          provisioned_by_group_id: user.provisioned_by_group_id,
        }
      : {}),
  };
}

/** users-and-auth 4.5. */
export function presentUserDetailsWithAdmin(user: UserRecord, view: View): Static<typeof UserWithAdmin> {
  const { context } = view;
  return {
    ...presentUserWithAdmin(user, view),
    highest_role: context.get(Access).highestLevel(user.id),
    current_sign_in_ip: null,
    last_sign_in_ip: null,
    sign_in_count: user.sign_in_count,
    ...(includesTier(context.edition, "premium") ? { plan: null, trial: null } : {}),
  };
}

function presentFollows(user: UserRecord, { context: { store }, caller }: View) {
  const isFollowed = caller.user !== undefined && isFollowing(store, caller.user.id, user.id);
  return { ...countFollows(store, user.id), is_followed: isFollowed };
}

function creatorOf(context: Context, user: UserRecord): UserRecord | undefined {
  return user.created_by_id === null ? undefined : context.store.of(users).get(user.created_by_id);
}

function workInformation(user: UserRecord): string | null {
  if (user.job_title !== "" && user.organization) return `${user.job_title} at ${user.organization}`;
  return user.job_title || user.organization || null;
}

/** The address that commits of the user carry. */
export function commitEmail(user: UserRecord, baseUrl: string): string {
  if (user.commit_email === "_private") return `${user.id}-${user.username}@users.noreply.${new URL(baseUrl).hostname}`;
  return user.commit_email ?? user.email;
}
