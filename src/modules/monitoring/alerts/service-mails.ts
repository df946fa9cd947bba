import { accessLevels } from "../../../domain/access-level.ts";
import { sourceKey } from "../../../domain/source.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, membershipOriginsOf } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { enqueueMail } from "../../core/outbox/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { memberships } from "../../members/members/records.ts";
import { mailAddressIn } from "../../notifications/settings/index.ts";
import { AlertMailRate } from "./mail-rate.ts";
import type { AlertRecord } from "./records.ts";
import { alertUrl } from "./urls.ts";

/** Mails users about an alert that was triggered or resolved (alerts D, `send_email`). */
export function mailAlert(
  tx: Transaction,
  context: Context,
  project: ProjectRecord,
  alert: AlertRecord,
  userIds: readonly number[],
): void {
  const hasEnded = alert.status === "resolved";
  const subject = `${project.name} | Alert ${hasEnded ? "resolved" : "triggered"}: ${alert.title}`;
  const facts = [
    `An alert was ${hasEnded ? "resolved" : "triggered"} in ${projectPathOf(context.store, project)}.`,
    `Title: ${alert.title}\nSeverity: ${alert.severity}`,
    alert.description ?? "",
    addressOf(context, project, alert),
  ];
  const text = `${facts.filter((fact) => fact !== "").join("\n\n")}\n`;
  const event = hasEnded ? "alert_resolved" : "alert_triggered";
  for (const id of userIds) {
    const to = mailAddressIn(context, id, project);
    if (to === undefined || !context.get(AlertMailRate).take(project.id)) continue;
    const reader = { user_id: id, type: "Project", id: project.id } as const;
    const cause = `project ${project.id}`;
    enqueueMail(tx, context, { to, subject: subject.replace(/[\r\n]+/g, " "), text, event, cause, reader });
  }
}

/** Returns the URL of an alert or, when the address of this server is not configured, its reference. */
function addressOf({ store, mailBaseUrl }: Context, project: ProjectRecord, alert: AlertRecord): string {
  if (mailBaseUrl === undefined) return `${projectPathOf(store, project)}^alert#${alert.iid}`;
  return alertUrl(store, project, alert, mailBaseUrl);
}

/** Users who get the mails of a project's alerts: people who are maintainers or owners in any way, by id. */
export function alertReceiversOf(context: Context, project: ProjectRecord): number[] {
  const { store } = context;
  const access = context.get(Access);
  const rows = store.of(memberships);
  const ids = new Set<number>();
  for (const { source } of membershipOriginsOf(store, { type: "project", id: project.id }, access.today)) {
    for (const rowId of rows.by.source.find(sourceKey(source))) {
      const row = rows.get(rowId);
      if (row !== undefined && row.access_level >= accessLevels.maintainer) ids.add(row.user_id);
    }
  }
  return [...ids].filter((id) => isMaintainer(id)).sort((one, other) => one - other);

  function isMaintainer(id: number): boolean {
    const user = findUser(store, id);
    if (user?.state !== "active" || user.user_type !== "human") return false;
    return access.memberLevelInProject(id, project) >= accessLevels.maintainer;
  }
}
