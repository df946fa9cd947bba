/** A quick action: a line such as `/close` in a comment or a description that changes the thing which it is about. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { textLengthMax } from "../../../domain/parameters.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { IssueRecord } from "../issues/records.ts";
import { extractActions } from "./extractor.ts";

/** The changes that quick actions ask for, named as in `commands_changes` of the answer. */
export interface QuickActionUpdates {
  state_event?: "close" | "reopen";
  title?: string;
  /** All labels; `add_label_ids` and `remove_label_ids` change them after that. */
  label_ids?: number[];
  add_label_ids?: number[];
  remove_label_ids?: number[];
  assignee_ids?: number[];
  milestone_id?: number | null;
  due_date?: string | null;
  /** Seconds. */
  time_estimate?: number;
  spend_time?: { duration: number | "reset"; user_id: number; spent_at?: string };
  discussion_locked?: boolean;
  confidential?: boolean;
  subscription_event?: "subscribe" | "unsubscribe";
  emoji_award?: string;
  issue_type?: IssueRecord["issue_type"];
  severity?: IssueRecord["severity"];
  weight?: number | null;
  epic_id?: number | null;
  health_status?: NonNullable<IssueRecord["health_status"]> | null;
  /** The issue that says the same. */
  canonical_issue_id?: number;
  target_project_id?: number;
  promote_to_epic?: true;
  reviewer_ids?: number[];
  wip_event?: "draft" | "ready";
}

/** The attributes that the actions for all kinds of things look at. */
export interface ActionableState
  extends Pick<IssueRecord, "label_ids" | "assignee_ids" | "milestone_id" | "discussion_locked"> {
  readonly state: string;
  /** Left out: things of the kind are for all who see their project. */
  readonly confidential?: boolean;
}

/** The rights of the caller: each action needs that of the operation which it stands for. */
export interface ActionRights {
  /** To close, reopen and rename it. */
  readonly canUpdate: boolean;
  /** To set its labels, assignees, milestone and dates. */
  readonly canSetMetadata: boolean;
  /** To track time on it, and to move it. */
  readonly canAdminister: boolean;
}

/** The thing that quick actions are about, as its module describes it. */
export interface ActionTarget<S extends ActionableState = ActionableState> {
  readonly context: Context;
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** `issue`, in the sentences about what was done. */
  readonly noun: string;
  readonly state: S;
  /** undefined: the thing is being created. */
  readonly subject: SubjectRef | undefined;
  readonly isSubscribed: boolean;
  readonly rights: ActionRights;
  /** Whether a user may be assigned to it. */
  canBeAssigned(userId: number): boolean;
  /** The actions write here. */
  readonly updates: QuickActionUpdates;
}

export interface QuickAction<T extends ActionTarget = ActionTarget> {
  /** The first is the one that messages name; the others are other spellings. */
  readonly names: readonly [string, ...string[]];
  /** Without an argument, an action that needs one does nothing. */
  readonly needsArgument?: true;
  /** The longest argument in characters, where it is not that of most parameters. */
  readonly argumentLengthMax?: number;
  isAvailable(target: T): boolean;
  /** Adds to the updates, and returns the sentence about it; undefined: the argument names nothing. */
  run(target: T, argument: string): string | undefined;
}

/** The result of the actions in a text. */
export interface InterpretedText {
  /** The text without the actions. */
  readonly text: string;
  readonly updates: QuickActionUpdates;
  /** One sentence for each action that has one. */
  readonly messages: readonly string[];
  readonly actionCount: number;
}

/** Thrown by `run` for an argument that the action cannot use; the message tells the user why. */
export class UnusableArgument extends Error {}

/** Reads the quick actions in a text; the module of the target applies the updates. */
export function interpretText<T extends ActionTarget>(
  text: string,
  known: readonly QuickAction<T>[],
  target: T,
): InterpretedText {
  const byName = new Map(known.flatMap((action) => action.names.map((name) => [name, action] as const)));
  const { text: rest, actions } = extractActions(text, new Set(byName.keys()));
  const messages = actions.flatMap(({ name, argument }) => {
    const message = runAction(byName.get(name) as QuickAction<T>, target, argument);
    return message === undefined ? [] : [message];
  });
  return { text: rest, updates: target.updates, messages, actionCount: actions.length };
}

function runAction<T extends ActionTarget>(action: QuickAction<T>, target: T, argument: string): string | undefined {
  const [name] = action.names;
  if (!action.isAvailable(target)) return `Could not apply ${name} command.`;
  if (action.needsArgument && argument === "") return undefined;
  try {
    requireShort(argument, action.argumentLengthMax ?? textLengthMax);
    return action.run(target, argument);
  } catch (error) {
    if (error instanceof UnusableArgument) return `Could not apply ${name} command. ${error.message}.`;
    throw error;
  }
}

function requireShort(argument: string, lengthMax: number): void {
  if (argument.length <= lengthMax) return;
  throw new UnusableArgument(`The argument is too long (maximum is ${lengthMax} characters)`);
}
