import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, type SourceRef, sourceKey } from "../../core/access/index.ts";
import { groups, projects } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { groupsAbove, iidInSourceKey, type MilestoneRecord, milestones } from "../records/index.ts";
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
  const includesAncestors = params.include_ancestors ?? params.include_parent_milestones ?? false;
  const sources = includesAncestors ? [source, ...visibleAbove(context, caller, source)] : [source];
  const where: MilestoneCondition[] = [
    { anyOf: sources.map((each) => ({ index: "source", key: sourceKey(each) })) },
    ...(includesAncestors ? [] : iidConditions(source, params.iids)),
    ...filterConditions(params),
  ];
  return context.store.page(milestones, { where, order: "id", descending: true, page });
}

function iidConditions(source: SourceRef, iids: readonly number[] = []): MilestoneCondition[] {
  if (iids.length === 0) return [];
  return [{ anyOf: iids.map((iid) => ({ index: "iid", key: iidInSourceKey(source, iid) })) }];
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

/** The groups above that the caller sees. */
function visibleAbove(context: Context, { user }: Caller, source: SourceRef): SourceRef[] {
  const { store } = context;
  const above = source.type === "group" ? source.id : store.of(projects).get(source.id)?.namespace_id;
  return groupsAbove(store, above ?? 0).filter(({ id }) => {
    const group = store.of(groups).get(id);
    return (
      group !== undefined &&
      context.get(Access).canSeeGroup(user, group) &&
      !(source.type === "group" && id === source.id)
    );
  });
}
