import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, type SourceRef, sourceKey } from "../../core/access/index.ts";
import { groups, projects, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type LabelRecord, labels } from "../records/index.ts";
import type { ListLabels } from "./schema.ts";
import { labelSourcesOf } from "./service-find.ts";

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
    ...(include_ancestor_groups ? above : withoutAncestors(source, above)),
    ...(include_descendant_groups ? visibleBelow(context, caller, source.id) : []),
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

/** A project keeps the labels of its own group. */
function withoutAncestors(source: SourceRef, above: readonly SourceRef[]): readonly SourceRef[] {
  return above.slice(0, source.type === "project" ? 2 : 1);
}

/** The projects in a group, and in the groups below if the list has those, that the caller can see. */
function projectsOf(context: Context, { user }: Caller, { type, id }: SourceRef, params: ListLabels): SourceRef[] {
  if (type === "project") return [];
  const { store } = context;
  const groupIds = params.include_descendant_groups ? selfAndDescendants(store, id) : [id];
  const documents = store.of(projects);
  return groupIds
    .flatMap((groupId) => [...documents.by.namespace_id.find(groupId)])
    .filter((projectId) => {
      spend(documentSteps);
      const project = documents.get(projectId);
      return project !== undefined && context.get(Access).canSeeProject(user, project);
    })
    .map((projectId) => ({ type: "project", id: projectId }));
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
