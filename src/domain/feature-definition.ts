export const definitionTypes = ["development", "ops", "experiment"] as const;

/** Purpose of a flag (feature-flags 2). */
export interface FeatureDefinition {
  readonly name: string;
  readonly introduced_by_url: string | null;
  readonly rollout_issue_url: string | null;
  readonly milestone: string | null;
  /** Whether the server logs changes of its state. */
  readonly log_state_changes: boolean | null;
  readonly type: (typeof definitionTypes)[number];
  /** The team that owns it. */
  readonly group: string | null;
  /** The value of a flag that was never set. */
  readonly default_enabled: boolean;
}

/** Definitions by name: those that the server ships and those that were added, in the order of their names. */
export type FeatureDefinitions = ReadonlyMap<string, FeatureDefinition>;
