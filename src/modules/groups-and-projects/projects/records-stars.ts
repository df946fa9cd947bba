import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A user's star on a project. */
export const ProjectStarRecord = record({
  id: field.whole,
  user_id: field.whole,
  project_id: field.whole,
  created_at: field.moment,
});
export type ProjectStarRecord = RecordOf<typeof ProjectStarRecord>;

export const projectStars = collection("project-stars", ProjectStarRecord, {
  indexes: {
    pair: unique((star) => starKey(star.user_id, star.project_id)),
    user_id: multi((star) => [star.user_id]),
    project_id: multi((star) => [star.project_id]),
    id: ordered((star) => star.id),
  },
  references: { user_id: "users", project_id: "projects" },
});

/** The star of a user on a project. */
export function starKey(userId: number, projectId: number): string {
  return `${userId} ${projectId}`;
}
