import { spend } from "../../../../domain/work-budget.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import { notes } from "../../../discussions/notes/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { issues } from "../../../planning/issues/records.ts";

/** Contributions that are older are forgotten. */
const yearMs = 365 * 86_400_000;
/** A look at a record, in steps of 0.4 microseconds. */
const stepsPerRecord = 2;

/** Ids of the projects in which a user wrote an issue or a note within the last year. */
export function contributedBy({ store, clock }: Context, { id }: UserRecord): Set<number> {
  const since = toDateTime(clock.now() - yearMs);
  const found = new Set<number>();
  for (const issueId of store.of(issues).by.author_id.find(id)) {
    spend(stepsPerRecord);
    const issue = store.of(issues).get(issueId);
    if (issue !== undefined && issue.created_at >= since) found.add(issue.project_id);
  }
  for (const noteId of store.of(notes).by.author_id.find(id)) {
    spend(stepsPerRecord);
    const note = store.of(notes).get(noteId);
    if (note === undefined || note.system || note.noteable_type !== "Issue" || note.created_at < since) continue;
    const issue = store.of(issues).get(note.noteable_id);
    if (issue !== undefined) found.add(issue.project_id);
  }
  return found;
}
