import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { Condition } from "../../../store/index.ts";
import { canSeeGroup, visibleGroupsBelow, visibleProjectsIn } from "../../core/access/index.ts";
import { selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type LabelRecord, labels } from "./records.ts";
import type { ListLabels } from "./schema.ts";
import { labelSourcesOf, ownSourcesOf } from "./service-find.ts";

type LabelCondition = Condition<typeof labels.indexes>;

/** `GET …/labels` (issues-labels-milestones-epics 2), by name. */
export function listLabels(
  context: Context,
  caller: Caller,
  source: SourceRef,
  params: ListLabels,
  page: PageRequest,
): Page<LabelRecord> {
  const { include_ancestor_groups = true, include_descendant_groups = false, only_group_labels = true } = params;
  const above = visibleSourcesOf(context, caller, source);
  const groupsOfList = [
    ...(include_ancestor_groups ? above : ownSourcesOf(context.store, source)),
    ...(include_descendant_groups ? visibleGroupsBelow(context, caller, source.id) : []),
  ];
  const sources = only_group_labels ? groupsOfList : [...groupsOfList, ...projectsOf(context, caller, source, params)];
  const search = params.search?.trim() ?? "";
  return context.store.page(labels, {
    where: [
      { anyOf: sources.map((each) => ({ index: "source", key: sourceKey(each) })) },
      ...archivedConditions(params.archived),
      ...(search === "" ? [] : [{ index: "words", contains: [search] } as const]),
    ],
    order: "name",
    descending: false,
    page,
  });
}

function archivedConditions(archived: boolean | undefined): LabelCondition[] {
  if (archived === undefined) return [];
  const condition = { index: "archived", key: "yes" } as const;
  return [archived ? condition : { not: condition }];
}

/** The projects in a group, and in the groups below if the list has those, that the caller can see. */
function projectsOf(context: Context, caller: Caller, { type, id }: SourceRef, params: ListLabels): SourceRef[] {
  if (type === "project") return [];
  const groupIds = params.include_descendant_groups ? selfAndDescendants(context.store, id) : [id];
  return visibleProjectsIn(context, caller, groupIds);
}

/**
 * The sources whose labels the caller finds in a project or group that they can see: for a group, the groups above that
 * they can see as well.
 */
export function visibleSourcesOf(context: Context, caller: Caller, source: SourceRef): readonly SourceRef[] {
  const sources = labelSourcesOf(context.store, source);
  return source.type === "project"
    ? sources
    : sources.filter(({ id }) => id === source.id || canSeeGroup(context, caller, id));
}
