import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** The conditions of a rule; a request has to meet all that are given. */
export const FaultMatch = field.object({
  method: field.optional(field.text),
  /** The path of an operation, as its declaration has it. */
  route: field.optional(field.text),
  path: field.optional(field.text),
  user: field.optional(field.text),
  header: field.optional(field.text),
});
export type FaultMatch = RecordOf<typeof FaultMatch>;

/** The effects on the request, in the order of the fields. */
export const FaultEffect = field.object({
  wait_ms: field.optional(field.whole),
  jitter_ms: field.optional(field.whole),
  code: field.optional(field.whole),
  drop: field.optional(field.flag),
  apply_then_drop: field.optional(field.flag),
  truncate_after: field.optional(field.whole),
  bytes_per_second: field.optional(field.whole),
});
export type FaultEffect = RecordOf<typeof FaultEffect>;

/** A document, so that a checkpoint has the rules with their counts. */
export const FaultRule = record({
  id: field.whole,
  match: FaultMatch,
  effect: FaultEffect,
  /** Requests that it may hit; null: any number. */
  times: field.nullable(field.whole),
  probability: field.number,
  /** Fitting requests that it lets pass first. */
  after: field.whole,
  fitted: field.whole,
  hits: field.whole,
  created_at: field.moment,
});
export type FaultRule = RecordOf<typeof FaultRule>;

export const faultRules = collection("sandbox-faults", FaultRule, {
  sequence: "sandbox_faults",
  indexes: { all: multi(() => ["all"]) },
});
