export const definitionTypes = ["development", "ops", "experiment"] as const;

/** The definition of a feature flag (feature-flags 2). */
export interface FeatureDefinition {
  readonly name: string;
  readonly introduced_by_url: string | null;
  readonly rollout_issue_url: string | null;
  readonly milestone: string | null;
  /** True when the server logs changes of its state. */
  readonly log_state_changes: boolean | null;
  readonly type: (typeof definitionTypes)[number];
  /** The team that owns the flag. */
  readonly group: string | null;
  /** The value of an unset flag. */
  readonly default_enabled: boolean;
}

/** The definitions that the server ships and the added ones, in the order of their names. */
export type FeatureDefinitions = ReadonlyMap<string, FeatureDefinition>;
