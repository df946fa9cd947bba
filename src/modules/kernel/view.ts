import type { Caller } from "../../domain/caller.ts";
import type { Context } from "./context.ts";

/** Everything that a presenter may use beside the record. The call of an operation is one. */
export interface View {
  readonly context: Context;
  readonly caller: Caller;
  /** Origin of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
}
