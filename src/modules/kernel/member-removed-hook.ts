import type { Transaction } from "../../store/index.ts";
import type { SourceRef } from "../core/access/index.ts";
import type { Context } from "./context.ts";

/** A module's part in removing a member from a group or project. */
export interface MemberRemovedHook {
  /**
   * Takes the user off everything in the source, and below it, that they are assigned to: as much as one transaction bears
   * in that of the removal, the rest by a job (members-and-access 4.5, `unassign_issuables`).
   */
  unassign(tx: Transaction, context: Context, userId: number, source: SourceRef): void;
}
