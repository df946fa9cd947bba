import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { type DeletedUser, findUser, findUserByUsername } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { alertEvents } from "./events.ts";
import { type AlertRecord, alertKey, alerts } from "./records.ts";
import type { ChangeAlert } from "./schema.ts";
import { getAlert } from "./service-find.ts";

type Parameters = Static<typeof ChangeAlert>;

/** `PUT …/:alert_iid` (alerts C). Throws 404, 400 for a user who may not be assigned and for a second open one of an identity. */
export function updateAlert(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): AlertRecord {
  const { store, clock, log } = context;
  const [before, after] = store.transact((tx) => {
    const known = getAlert(context, project, params.alert_iid);
    const now = toDateTime(clock.now());
    const changed = { ...known, ...assignmentOf(context, project, params), ...statusOf(context, known, params, now) };
    const isSame = changed.status === known.status && changed.assignee_id === known.assignee_id;
    return [known, isSame ? known : updateRecord(tx, context, caller, alertEvents, { ...changed, updated_at: now })];
  });
  if (before.status !== after.status) {
    const { id, project_id, status } = after;
    log.info({ alert_id: id, project_id, from: before.status, to: status, user_id: caller.user.id }, "alert status");
  }
  return after;
}

/** Unassigns the alerts of a deleted user. */
export function unassignAlerts(tx: Transaction, { store }: Context, { user, budget }: DeletedUser): void {
  const documents = store.of(alerts);
  budget.each(
    () => documents.by.assignee_id.find(user.id),
    (id) => void tx.update(alerts, { ...(documents.get(id) as AlertRecord), assignee_id: null }),
  );
}

/** Changes any status to any other; only a resolved alert has an end. */
function statusOf(
  { store }: Context,
  alert: AlertRecord,
  { status }: Parameters,
  now: string,
): Partial<Pick<AlertRecord, "status" | "ended_at">> {
  if (status === undefined || status === alert.status) return {};
  if (status === "resolved") return { status, ended_at: now };
  const isReopened = alert.status === "resolved" && alert.fingerprint !== null;
  const identity = alertKey(alert.project_id, alert.fingerprint ?? "");
  if (isReopened && store.of(alerts).by.open_identity.find(identity) !== undefined) {
    throw invalid(
      "An alert with the same fingerprint is already open. To change the status of this alert, resolve the linked alert.",
    );
  }
  return { status, ended_at: null };
}

function assignmentOf(
  context: Context,
  project: ProjectRecord,
  { assignee_id, assignee_username }: Parameters,
): Partial<Pick<AlertRecord, "assignee_id">> {
  const { store } = context;
  if (assignee_id === undefined && assignee_username === undefined) return {};
  if (!assignee_id && !assignee_username?.trim()) return { assignee_id: null };
  const user = assignee_username ? findUserByUsername(store, assignee_username) : findUser(store, assignee_id ?? 0);
  const level = user === undefined ? accessLevels.none : context.get(Access).levelInProject(user, project);
  if (user === undefined || level < accessLevels.developer) throw invalid("Assignee has no permissions");
  return { assignee_id: user.id };
}
