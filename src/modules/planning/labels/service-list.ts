import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { Access, type SourceRef, sourceKey } from "../../core/access/index.ts";
import { groups, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type LabelRecord, labels } from "../records/index.ts";
import type { ListLabels } from "./schema.ts";
import { labelSourcesOf } from "./service-find.ts";

/** `GET …/labels` (issues-labels-milestones-epics 2), by name. */
export function listLabels(
  context: Context,
  caller: Caller,
  source: SourceRef,
  params: ListLabels,
  page: PageRequest,
): Page<LabelRecord> {
  const { include_ancestor_groups = true, include_descendant_groups = false } = params;
  const sources = [
    ...(include_ancestor_groups ? visibleSourcesOf(context, caller, source) : [source]),
    ...(include_descendant_groups ? visibleBelow(context, caller, source.id) : []),
  ];
  const search = params.search?.trim() ?? "";
  return context.store.page(labels, {
    where: [
      { anyOf: sources.map((each) => ({ index: "source", key: sourceKey(each) })) },
      ...(search === "" ? [] : [{ index: "words", contains: [search] } as const]),
    ],
    order: "name",
    descending: false,
    page,
  });
}

/**
 * The sources whose labels the caller finds in a project or group that they can see: for a group, the groups above that
 * they can see as well.
 */
export function visibleSourcesOf(context: Context, caller: Caller, source: SourceRef): readonly SourceRef[] {
  const sources = labelSourcesOf(context.store, source);
  return source.type === "project"
    ? sources
    : sources.filter(({ id }) => id === source.id || sees(context, caller, id));
}

function visibleBelow(context: Context, caller: Caller, groupId: number): SourceRef[] {
  return selfAndDescendants(context.store, groupId)
    .filter((id) => id !== groupId && sees(context, caller, id))
    .map((id) => ({ type: "group", id }));
}

function sees(context: Context, { user }: Caller, groupId: number): boolean {
  const group = context.store.of(groups).get(groupId);
  return group !== undefined && context.get(Access).canSeeGroup(user, group);
}
