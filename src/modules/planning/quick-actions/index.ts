import type { SignedInCaller } from "../../../domain/caller.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import { domainEvent } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";

export {
  type ActionTarget,
  type InterpretedText,
  interpretText,
  type QuickAction,
  type QuickActionUpdates,
  UnusableArgument,
} from "./action.ts";
export { assignableActions } from "./actions-assignable.ts";
export { commonActions, labelIdsAfter } from "./actions-common.ts";
export { dayNamed, sentenceOf, usersNamed } from "./arguments.ts";

/** `/award` in a text: the reaction of a user to a thing is added, or removed when it is there. */
export interface AwardToggle {
  readonly caller: SignedInCaller;
  readonly subject: SubjectRef;
  readonly name: string;
}

export const awardToggleRequested = domainEvent<AwardToggle>("award-toggle-requested");

export const quickActionsModule = defineModule({ name: "quick-actions", events: [awardToggleRequested] });
