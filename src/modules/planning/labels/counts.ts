/** The numbers of issues and merge requests that a label has. */

import type { Caller } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import type { Condition } from "../../../store/index.ts";
import { projectsBelow } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { IssuableCondition } from "../issuables/records.ts";
import { issues } from "../issues/records.ts";
import { carriersOf } from "../pending-unlinks/index.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { countOpenMergeRequests } from "../readable-merge-requests/index.ts";
import type { LabelRecord } from "./records.ts";

/** `with_counts`: how many issues and merge requests of the project or group that the caller may read carry a label. */
export function issueCounter(context: Context, caller: Caller, place: SourceRef) {
  const { store } = context;
  const within = placeConditions(context, place);
  const readable = { ids: context.get(ReadableIssues).of(caller.user) };
  return (label: LabelRecord) => {
    const where = [carriersOf(store, "label", [label.id]), ...within];
    const countOf = (key: "opened" | "closed") => {
      const ofState: Condition<typeof issues.indexes>[] = [...where, readable, { index: "state", key }];
      return store.count(issues, ofState);
    };
    return {
      open_issues_count: countOf("opened"),
      closed_issues_count: countOf("closed"),
      open_merge_requests_count: countOpenMergeRequests(context, caller, where),
    };
  };
}

function placeConditions({ store }: Context, place: SourceRef): IssuableCondition[] {
  if (place.type === "project") return [{ index: "project_id", key: place.id }];
  return [{ anyOf: projectsBelow(store, place.id).map((key) => ({ index: "project_id", key })) }];
}
