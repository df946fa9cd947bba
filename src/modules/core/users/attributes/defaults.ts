/** The attributes of a new user. */

import type { DateTime } from "../../../../lib/datetime.ts";
import type { UserRecord } from "../records.ts";

/** The attributes of a user for which the caller gave no value (users-and-auth 7). */
export function userDefaults(now: DateTime): Omit<UserRecord, "id" | "namespace_id" | "email" | "name" | "username"> {
  return {
    state: "active",
    user_type: "human",
    created_by_id: null,
    created_at: now,
    updated_at: now,
    confirmed_at: null,
    last_activity_on: null,
    current_sign_in_at: null,
    last_sign_in_at: null,
    sign_in_count: 0,
    password_digest: null,
    password_expires_at: null,
    is_admin: false,
    is_auditor: false,
    external: false,
    private_profile: false,
    can_create_group: true,
    projects_limit: 100_000,
    two_factor_enabled: false,
    bio: "",
    location: null,
    organization: null,
    pronouns: null,
    public_email: null,
    commit_email: null,
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    job_title: "",
    note: null,
    theme_id: 1,
    color_scheme_id: 1,
    preferred_language: "en",
    view_diffs_file_by_file: false,
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    provisioned_by_group_id: null,
    identities: [],
  };
}
