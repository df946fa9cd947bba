import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { eventsOf, type IssueChange } from "../../kernel/issue-hooks.ts";

/** Tells everybody who listens what happened to an issue; part of each change. */
export function emitIssueEvents(tx: Transaction, context: Context, caller: SignedInCaller, change: IssueChange): void {
  for (const event of eventsOf(change)) {
    for (const listen of context.issueListeners) listen(tx, context, caller, event, change);
  }
}
