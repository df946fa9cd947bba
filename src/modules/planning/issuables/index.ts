import { defineModule } from "../../kernel/module.ts";
import { MilestoneTimes } from "./milestone-times.ts";

export { chosenUsers } from "./assignees.ts";
export {
  namesIn,
  whereIdOrWord,
  whereLabels,
  whereReaction,
  whereTextAndTime,
  whereUsername,
} from "./filters.ts";
export {
  whereMilestone,
  whereMilestoneOfWord,
  whereOtherMilestone,
  whereOtherMilestoneOfWord,
} from "./filters-milestones.ts";
export { pageByDate, pageOfRanks, type WantedPage } from "./orders.ts";
export { byLabelPriority, byMilestone, type RankedOrder, ranked } from "./ranks.ts";
export { type RelativeTo, referencesTo } from "./references.ts";
export { noneOrAny, searchWords } from "./search-words.ts";
export { countTasks, tasksOf } from "./tasks.ts";

export const issuablesModule = defineModule({ name: "issuables", services: [MilestoneTimes] });
