import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/** The clock of the sandbox, once it was set: a checkpoint has it, and a restart goes on with it. */
export const StoredClock = record({
  id: field.whole,
  /** Milliseconds since 1970 that the clock had when it was set. */
  base_ms: field.whole,
  /** The system's time then. */
  since_ms: field.whole,
  /** Seconds of this clock in one second. */
  rate: field.number,
  is_frozen: field.flag,
});
export type StoredClock = RecordOf<typeof StoredClock>;

export const sandboxClocks = collection("sandbox-clocks", StoredClock, { sequence: undefined });
