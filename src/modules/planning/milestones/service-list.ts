import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, groupsAbove, visibleGroupsBelow, visibleProjectsIn } from "../../core/access/index.ts";
import { selfAndDescendants } from "../../core/namespaces/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { iidInSourceKey, type MilestoneRecord, milestones } from "./records.ts";
import type { ListMilestones } from "./schema.ts";

type MilestoneCondition = Condition<typeof milestones.indexes>;

/** `GET …/milestones` (issues-labels-milestones-epics 3), the newest first. */
export function listMilestones(
  context: Context,
  caller: Caller,
  source: SourceRef,
  params: ListMilestones,
  page: PageRequest,
): Page<MilestoneRecord> {
  const sources = [
    source,
    ...(includesAncestors(params) ? visibleAbove(context, caller, source) : []),
    ...(params.include_descendants ? visibleBelow(context, caller, source) : []),
  ];
  const where = [placeCondition(sources, params), ...filterConditions(params)];
  return context.store.page(milestones, { where, order: "id", descending: true, page });
}

const includesAncestors = ({ include_ancestors, include_parent_milestones }: ListMilestones) =>
  include_ancestors ?? include_parent_milestones ?? false;

function placeCondition(sources: readonly SourceRef[], params: ListMilestones): MilestoneCondition {
  const { iids = [] } = params;
  if (iids.length === 0 || includesAncestors(params)) {
    return { anyOf: sources.map((each) => ({ index: "source", key: sourceKey(each) })) };
  }
  const keys = sources.flatMap((source) => iids.map((iid) => iidInSourceKey(source, iid)));
  return { anyOf: keys.map((key) => ({ index: "iid", key })) };
}

function filterConditions(params: ListMilestones): MilestoneCondition[] {
  const { state = "all", title, updated_after, updated_before } = params;
  const search = params.search?.trim() ?? "";
  const where: MilestoneCondition[] = [];
  if (state !== "all") where.push({ index: "state", key: state });
  if (title !== undefined && title !== "") where.push({ index: "title", key: title });
  if (search !== "") where.push({ index: "words", contains: [search] });
  if (updated_after !== undefined || updated_before !== undefined) {
    where.push({ index: "updated_at", from: updated_after, to: updated_before });
  }
  return where;
}

/**
 * The groups above that the caller can see. A private group that they see for nothing but a membership below counts for
 * those only who have a project there.
 */
function visibleAbove(context: Context, caller: Caller, source: SourceRef): SourceRef[] {
  const { store } = context;
  const access = context.get(Access);
  const nearest = source.type === "group" ? source.id : (store.of(projects).get(source.id)?.namespace_id ?? 0);
  const hasProject = () => source.type === "project" || projectsBelow(context, caller, source.id).length > 0;
  return groupsAbove(store, nearest).filter(({ id }) => {
    const group = store.of(groups).get(id);
    if (group === undefined || (source.type === "group" && id === source.id)) return false;
    if (!access.canSeeGroup(caller.user, group)) return false;
    return !access.seesGroupFromBelow(caller.user, group) || hasProject();
  });
}

function visibleBelow(context: Context, caller: Caller, { id }: SourceRef): SourceRef[] {
  return [...visibleGroupsBelow(context, caller, id), ...projectsBelow(context, caller, id)];
}

function projectsBelow(context: Context, caller: Caller, groupId: number): SourceRef[] {
  return visibleProjectsIn(context, caller, selfAndDescendants(context.store, groupId));
}
