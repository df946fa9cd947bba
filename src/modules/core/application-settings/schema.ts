import { type Static, Type } from "@sinclair/typebox";
import { boolean, integer, list, nullable, oneOf, optional, text, url } from "../../../domain/parameters.ts";
import { visibilities } from "../../../domain/visibility.ts";
import { branchProtection, branchProtectionDefaults, initialBranchProtection } from "./branch-protection.ts";

const count = (description?: string) =>
  integer({ minimum: 0, maximum: 2147483647, ...(description === undefined ? {} : { description }) });
const positive = () => integer({ minimum: 1, maximum: 2147483647 });
const limit = (maximum: number, description: string) => integer({ minimum: 1, maximum, description });

/** Every setting with its type; the pages name them (rest-conventions 9 and 10, users-and-auth 7 and 21, spam-and-captcha, audit-events, protected-refs 6, commits 2, git-over-http 9). */
const properties = {
  akismet_api_key: nullable(text()),
  akismet_enabled: boolean(),
  allow_local_requests_from_web_hooks_and_services: boolean({
    description:
      "whether webhooks may call receivers on this machine and in its network; true in a sandbox until it is set",
  }),
  allow_possible_spam: boolean(),
  audit_events_retention_days: nullable(
    count("each midnight (UTC), audit events that are older are removed for ever; null or 0: none is"),
  ),
  default_branch_name: nullable(text({ maxLength: 255 })),
  default_branch_protection: branchProtection(),
  default_branch_protection_defaults: branchProtectionDefaults(),
  diff_max_files: limit(3_000, "files that a diff shows"),
  diff_max_lines: limit(100_000, "lines that a diff shows"),
  diff_max_patch_bytes: limit(512_000, "a diff shows no lines of a file whose changes have as many bytes"),
  login_recaptcha_protection_enabled: boolean(),
  offset_pagination_limit: count(),
  rate_limiting_response_text: text({ maxLength: 255 }),
  recaptcha_enabled: boolean(),
  recaptcha_private_key: nullable(text()),
  recaptcha_site_key: nullable(text()),
  receive_max_input_size: nullable(count("MiB that a push may have; null or 0: as many as come")),
  repository_storages_weighted: Type.Record(Type.String(), Type.Integer(), {
    description: "how often each storage is drawn for a new repository, from 0 to 100",
  }),
  restricted_visibility_levels: Type.Array(oneOf(visibilities), {
    description: "visibilities that only administrators may give",
  }),
  signup_enabled: boolean(),
  spam_check_api_key: nullable(text()),
  spam_check_endpoint_enabled: boolean(),
  spam_check_endpoint_url: nullable(url()),
  throttle_authenticated_api_enabled: boolean(),
  throttle_authenticated_api_period_in_seconds: positive(),
  throttle_authenticated_api_requests_per_period: positive(),
  throttle_unauthenticated_api_enabled: boolean(),
  throttle_unauthenticated_api_period_in_seconds: positive(),
  throttle_unauthenticated_api_requests_per_period: positive(),
  user_defaults_to_private_profile: boolean(),
  users_get_by_id_limit: count(),
  users_get_by_id_limit_allowlist: list(text({ maxLength: 255 }), {
    split: true,
    maxItems: 100,
    description: "usernames for which users_get_by_id_limit does not hold",
  }),
};

export const ApplicationSettings = Type.Object(properties, { $id: "ApplicationSettings" });
export type ApplicationSettings = Static<typeof ApplicationSettings>;

/** The initial settings of an instance. */
export const initialSettings: ApplicationSettings = {
  akismet_api_key: null,
  akismet_enabled: false,
  allow_local_requests_from_web_hooks_and_services: false,
  allow_possible_spam: false,
  audit_events_retention_days: null,
  default_branch_name: null,
  ...initialBranchProtection,
  diff_max_files: 1_000,
  diff_max_lines: 50_000,
  diff_max_patch_bytes: 204_800,
  login_recaptcha_protection_enabled: false,
  offset_pagination_limit: 50_000,
  rate_limiting_response_text: "",
  recaptcha_enabled: false,
  recaptcha_private_key: null,
  recaptcha_site_key: null,
  receive_max_input_size: null,
  repository_storages_weighted: {},
  restricted_visibility_levels: [],
  signup_enabled: true,
  spam_check_api_key: null,
  spam_check_endpoint_enabled: false,
  spam_check_endpoint_url: null,
  throttle_authenticated_api_enabled: false,
  throttle_authenticated_api_period_in_seconds: 3600,
  throttle_authenticated_api_requests_per_period: 7200,
  throttle_unauthenticated_api_enabled: false,
  throttle_unauthenticated_api_period_in_seconds: 3600,
  throttle_unauthenticated_api_requests_per_period: 3600,
  user_defaults_to_private_profile: false,
  users_get_by_id_limit: 0,
  users_get_by_id_limit_allowlist: [],
};

/** Settings whose values exports and audit events leave out; an audit event says only that one was changed. */
export const secretSettings = ["akismet_api_key", "recaptcha_private_key", "spam_check_api_key"] as const;

/** All of them optional; a text may be cleared with null. */
export const ChangeApplicationSettings = Type.Object({
  ...Type.Partial(ApplicationSettings).properties,
  rate_limiting_response_text: optional(nullable(properties.rate_limiting_response_text)),
});
