/** The rights of users whose mails have waited. */

import { Access, canReadEpic } from "../../core/access/index.ts";
import type { MailReader, MailTopic } from "../../core/outbox/records.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { Noteables } from "../../discussions/noteables/index.ts";
import { notes } from "../../discussions/notes/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { epics } from "../../planning/epics/records.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
import { canSeeReleases } from "../../releases/releases/index.ts";
import { releases } from "../../releases/releases/records.ts";

/** Whether a user may read the topic of a mail that has waited: meanwhile either may have gone, or become private. */
export function canStillRead(context: Context, { user_id, ...topic }: MailReader): boolean {
  const user = findUser(context.store, user_id);
  return user?.state === "active" && canRead(context, user, topic);
}

function canRead(context: Context, user: UserRecord, { type, id }: MailTopic): boolean {
  const { store } = context;
  switch (type) {
    case "Project": {
      const project = store.of(projects).get(id);
      return project !== undefined && context.get(Access).canSeeProject(user, project);
    }
    case "Issue":
    case "MergeRequest":
      return context.get(Noteables).canRead(user, { type, id });
    case "Note": {
      const note = store.of(notes).get(id);
      const on = note && { type: note.noteable_type, id: note.noteable_id };
      const target = on && context.get(Noteables).findTarget(on);
      if (on === undefined || target === undefined) return false;
      if (note?.internal === true && !canReadInternalNotes(context, user, target.project)) return false;
      return context.get(Noteables).canRead(user, on);
    }
    case "Release": {
      const release = store.of(releases).get(id);
      const project = release && store.of(projects).get(release.project_id);
      if (project === undefined || !context.get(Access).canSeeProject(user, project)) return false;
      return canSeeReleases(context, user, project);
    }
    case "Epic": {
      const epic = store.of(epics).get(id);
      return epic !== undefined && canReadEpic(context, user, epic);
    }
  }
}
