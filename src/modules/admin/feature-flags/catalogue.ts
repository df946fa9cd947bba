/** The definitions of the flags that this server reads itself. */

import type { FeatureDefinition } from "../../../domain/feature-definition.ts";

const shipped = {
  introduced_by_url: null,
  rollout_issue_url: null,
  milestone: null,
  log_state_changes: null,
  group: null,
} as const;

/**
 * The flags by which the server itself decides, each read in one place. None of their defaults differs from what the
 * contract promises.
 */
const catalogue = [
  /** `http/entry/router.ts`: pages of lists are answered from a cache until something changes. */
  { ...shipped, name: "list_response_cache", type: "ops", default_enabled: true },
  /**
   * `http/entry/request-log.ts`: one line a request. Actors: users. A percentage of time logs a sample; errors are always
   * logged.
   */
  { ...shipped, name: "request_log", type: "ops", default_enabled: true },
  /** `http/entry/request-log.ts`: that line also names the address and the program that asked. Actors: users. */
  { ...shipped, name: "request_log_details", type: "development", default_enabled: false },
  /** `http/entry/request-log.ts`: a warning for each request that took a second or more. */
  { ...shipped, name: "slow_request_warnings", type: "experiment", default_enabled: false },
  /** `http/entry/request-handler.ts`: pages of other origins may read answers in browsers. */
  { ...shipped, name: "cross_origin_requests", type: "ops", default_enabled: true },
  /** `http/auth/caller.ts`: the server stores when and from where a token was last used. Actors: users. */
  { ...shipped, name: "token_usage_tracking", type: "ops", default_enabled: true },
  /**
   * `modules/monitoring/alerts/receiving/service-ingestion.ts`: alerts without a fingerprint get one of what they say, in
   * paid tiers. Actors: projects.
   */
  { ...shipped, name: "generic_alert_fingerprints", type: "ops", default_enabled: true },
] as const satisfies readonly FeatureDefinition[];

export const shippedDefinitions: readonly FeatureDefinition[] = catalogue;

/** A flag that decides something in the server. */
export type BuiltInFlag = (typeof catalogue)[number]["name"];
