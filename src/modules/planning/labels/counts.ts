/** The numbers of issues that a label has. */

import type { Caller } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import type { Condition } from "../../../store/index.ts";
import { projectsBelow } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { issues } from "../issues/records.ts";
import { carriersOf } from "../pending-unlinks/index.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import type { LabelRecord } from "./records.ts";

type IssueCondition = Condition<typeof issues.indexes>;

/** `with_counts`: how many issues of the project or group that the caller may read carry a label. */
export function issueCounter(context: Context, caller: Caller, place: SourceRef) {
  const { store } = context;
  const within: IssueCondition[] = [
    { ids: context.get(ReadableIssues).of(caller.user) },
    ...placeConditions(context, place),
  ];
  return (label: LabelRecord) => {
    const where = [carriersOf(store, "label", [label.id]), ...within];
    const countOf = (state: "opened" | "closed") => store.count(issues, [...where, { index: "state", key: state }]);
    return {
      open_issues_count: countOf("opened"),
      closed_issues_count: countOf("closed"),
      open_merge_requests_count: 0,
    };
  };
}

function placeConditions({ store }: Context, place: SourceRef): IssueCondition[] {
  if (place.type === "project") return [{ index: "project_id", key: place.id }];
  return [{ anyOf: projectsBelow(store, place.id).map((key) => ({ index: "project_id", key })) }];
}
