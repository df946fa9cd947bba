import type { Static } from "@sinclair/typebox";
import { Access } from "../../core/access/index.ts";
import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import type { MilestoneRecord } from "./records.ts";
import type { Milestone } from "./schema.ts";

/** issues-labels-milestones-epics 3. */
export function presentMilestone(milestone: MilestoneRecord, { context, baseUrl }: View): Static<typeof Milestone> {
  const { id, iid, source_type, source_id, title, description, state, created_at, updated_at } = milestone;
  const { due_date, start_date } = milestone;
  return {
    id,
    iid,
    ...(source_type === "project" ? { project_id: source_id } : { group_id: source_id }),
    title,
    description,
    state,
    created_at,
    updated_at,
    due_date,
    start_date,
    expired: due_date !== null && due_date < context.get(Access).today,
    web_url: milestoneUrl(context, milestone, baseUrl),
  };
}

function milestoneUrl({ store }: Context, milestone: MilestoneRecord, baseUrl: string): string {
  const { source_type, source_id, iid } = milestone;
  if (source_type === "group") return `${baseUrl}/groups/${fullPathOf(store, source_id)}/-/milestones/${iid}`;
  const project = store.of(projects).get(source_id);
  if (project === undefined) throw new Error(`milestone ${milestone.id} is nowhere`);
  return `${baseUrl}/${projectPathOf(store, project)}/-/milestones/${iid}`;
}
