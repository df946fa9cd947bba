import { includesTier } from "../../../domain/edition.ts";
import { invalid } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { sourceOf } from "../../../domain/source.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findOwnMilestone } from "../../planning/milestones/index.ts";
import { milestones } from "../../planning/milestones/records.ts";
import type { UpdateRelease } from "./schema.ts";

/** The ids of the milestones that a request names; undefined: it names none, not even an empty list. Throws 400. */
export function findGivenMilestones(
  context: Context,
  project: ProjectRecord,
  { milestones: titles, milestone_ids: ids }: Pick<UpdateRelease, "milestones" | "milestone_ids">,
): number[] | undefined {
  const { store } = context;
  const sources = sourcesFor(context, project);
  if (titles) {
    const found = titles.map((title) => ({
      title,
      ids: sources.flatMap((source) => findOwnMilestone(store, source, title)?.id ?? []),
    }));
    const unknown = found.filter((each) => each.ids.length === 0);
    if (unknown.length > 0) {
      throw invalid(`Milestone(s) not found: ${unknown.map(({ title }) => title).join(", ")}`);
    }
    return unique(found.flatMap((each) => each.ids));
  }
  if (!ids) return undefined;
  const unknown = ids.filter((id) => {
    const milestone = store.of(milestones).get(id);
    const source = milestone && sourceOf(milestone);
    return !sources.some(({ type, id: each }) => source?.type === type && source.id === each);
  });
  if (unknown.length > 0) throw invalid(`Milestone id(s) not found: ${unknown.join(", ")}`);
  return unique(ids);
}

/** The project; in premium and up its own group, too. */
function sourcesFor({ store, edition }: Context, { id, namespace_id }: ProjectRecord): SourceRef[] {
  const hasGroup = includesTier(edition, "premium") && store.of(groups).get(namespace_id) !== undefined;
  return [{ type: "project", id }, ...(hasGroup ? [{ type: "group", id: namespace_id } as const] : [])];
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
