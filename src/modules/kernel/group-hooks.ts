import type { Transaction } from "../../store/index.ts";
import type { GroupRecord } from "../core/namespaces/index.ts";
import type { Context } from "./context.ts";
import type { InPhase } from "./phase.ts";

/**
 * A module's part in deleting a group (groups-and-projects 2.1). The removals of all modules run by their phases, each
 * until nothing is left, after the subgroups and projects are gone and before the group's own record is removed.
 */
export interface GroupRemoval extends InPhase {
  /**
   * Takes at most `limit` things of the group out of the module's collections and says how many it took: fewer than
   * `limit` are the last ones.
   */
  remove(tx: Transaction, context: Context, group: GroupRecord, limit: number): number;
}
