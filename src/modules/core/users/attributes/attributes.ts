/** The attributes of a user after a request. */

import { includesTier } from "../../../../domain/edition.ts";
import type { Context } from "../../../kernel/context.ts";
import { settingsOf } from "../../application-settings/index.ts";
import type { IdentityRecord } from "../records.ts";
import type { UserAttributes } from "../schema.ts";
import type { UserDraft } from "./validation.ts";

/**
 * A user with what was given of the attributes of users-and-auth 7; what was not given stays, null clears. External
 * users may create neither groups nor projects, and the paid tiers' attributes stay as they are without the tier.
 */
export function withAttributes<D extends UserDraft>(context: Context, user: D, given: UserAttributes): D {
  const external = given.external ?? user.external;
  return {
    ...user,
    ...profileOf(user, given),
    is_admin: given.admin ?? user.is_admin,
    external,
    can_create_group: !external && (given.can_create_group ?? user.can_create_group),
    projects_limit: external ? 0 : (given.projects_limit ?? user.projects_limit),
    private_profile: privacyOf(context, user, given),
    theme_id: given.theme_id ?? user.theme_id,
    color_scheme_id: given.color_scheme_id ?? user.color_scheme_id,
    view_diffs_file_by_file: given.view_diffs_file_by_file ?? user.view_diffs_file_by_file,
    identities: identitiesOf(context, user, given),
    ...(includesTier(context.edition, "premium") ? paidOf(user, given) : {}),
  };
}

function profileOf(user: UserDraft, given: UserAttributes) {
  return {
    bio: given.bio === null ? "" : (given.bio ?? user.bio),
    skype: given.skype === null ? "" : (given.skype ?? user.skype),
    linkedin: given.linkedin === null ? "" : (given.linkedin ?? user.linkedin),
    twitter: given.twitter === null ? "" : (given.twitter ?? user.twitter),
    discord: given.discord === null ? "" : (given.discord ?? user.discord),
    website_url: given.website_url === null ? "" : (given.website_url ?? user.website_url),
    job_title: given.job_title === null ? "" : (given.job_title ?? user.job_title),
    location: given.location === undefined ? user.location : given.location,
    organization: given.organization === undefined ? user.organization : given.organization,
    pronouns: given.pronouns === undefined ? user.pronouns : given.pronouns,
    note: given.note === undefined ? user.note : given.note,
    public_email: given.public_email === undefined ? user.public_email : given.public_email || null,
    commit_email: given.commit_email === undefined ? user.commit_email : given.commit_email || null,
  };
}

/** null stands for the setting of the instance. */
function privacyOf(context: Context, user: UserDraft, { private_profile: given }: UserAttributes): boolean {
  if (given === undefined) return user.private_profile;
  return given ?? settingsOf(context).user_defaults_to_private_profile;
}

function paidOf(user: UserDraft, given: UserAttributes) {
  const { shared_runners_minutes_limit: shared, extra_shared_runners_minutes_limit: extra } = given;
  return {
    is_auditor: given.auditor ?? user.is_auditor,
    shared_runners_minutes_limit: shared === undefined ? user.shared_runners_minutes_limit : shared,
    extra_shared_runners_minutes_limit: extra === undefined ? user.extra_shared_runners_minutes_limit : extra,
  };
}

/** A user has one identity of each provider: it is put in the place of the one that was there. */
function identitiesOf(context: Context, { identities }: UserDraft, given: UserAttributes): readonly IdentityRecord[] {
  const { provider, extern_uid, group_id_for_saml: groupId } = given;
  if (!provider || !extern_uid) return identities;
  const isOfGroup = provider === "group_saml" && groupId !== undefined && includesTier(context.edition, "premium");
  const old = identities.find((each) => each.provider === provider);
  const identity = {
    ...(old ?? { saml_provider_id: null }),
    provider,
    extern_uid,
    ...(isOfGroup ? { group_id_for_saml: groupId } : {}),
  };
  return old === undefined ? [...identities, identity] : identities.map((each) => (each === old ? identity : each));
}
