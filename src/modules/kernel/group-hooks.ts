import type { Transaction } from "../../store/index.ts";
import type { GroupRecord } from "../core/namespaces/index.ts";
import type { Context } from "./context.ts";
import type { InPhase } from "./phase.ts";

/**
 * What a module does when a group goes (groups-and-projects 2.1). The removals of all modules run by their phases, each
 * until nothing is left, when the subgroups and projects are gone and before the group's own record goes.
 */
export interface GroupRemoval extends InPhase {
  /**
   * Takes at most `limit` things of the group out of the module's collections and says how many it took: fewer than
   * `limit` are the last ones.
   */
  remove(tx: Transaction, context: Context, group: GroupRecord, limit: number): number;
}
