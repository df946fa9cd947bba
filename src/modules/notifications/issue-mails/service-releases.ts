import { isSignedIn } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RecordCreated } from "../../kernel/record-events.ts";
import { canSeeReleases } from "../../releases/releases/index.ts";
import type { ReleaseRecord } from "../../releases/releases/records.ts";
import { notify } from "../settings/index.ts";
import { excerptOf, nameOf, subjectOf, textOf } from "./mail-text.ts";

/** Mails about a new release (notification-settings 5): it has no participants. */
export function mailRelease(tx: Transaction, context: Context, { caller, after }: RecordCreated<ReleaseRecord>): void {
  const { store, mailBaseUrl } = context;
  const project = store.of(projects).get(after.project_id);
  if (project === undefined || !isSignedIn(caller)) return;
  const { tag, description } = after;
  const path = projectPathOf(store, project);
  const page = `${path}/-/releases/${encodeURIComponent(tag)}`;
  notify(tx, context, {
    event: "new_release",
    project,
    actor: caller.user.id,
    participants: [],
    mentioned: [],
    mayRead: (user) => canSeeReleases(context, user, project),
    topic: { type: "Release", id: after.id },
    subject: subjectOf(project, { title: `New release: ${after.name ?? tag}` }, tag),
    text: textOf(
      `${nameOf(caller)} released ${tag} of ${path}.`,
      excerptOf(description),
      mailBaseUrl === undefined ? page : `${mailBaseUrl}/${page}`,
    ),
  });
}
