import type { Static } from "@sinclair/typebox";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { noneOrAny, searchWords } from "../../planning/issuables/index.ts";
import { type AlertRecord, type AlertStatus, alertStatuses, alerts, unassigned } from "./records.ts";
import type { CountAlerts, ListAlerts } from "./schema.ts";

type Filters = Omit<Static<typeof CountAlerts>, "id">;
type AlertCondition = Condition<(typeof alerts)["indexes"]>;

const openStatuses = ["triggered", "acknowledged"] as const;

/** `GET …/alert_management_alerts` (alerts C). */
export function listAlerts(
  { store }: Context,
  project: ProjectRecord,
  { status, order_by = "started_at", sort = "desc", ...filters }: Static<typeof ListAlerts>,
  page: PageRequest,
): Page<AlertRecord> {
  const wanted = status?.flatMap((each) => (each === "open" ? openStatuses : [each]));
  return store.page(alerts, {
    where: [...conditions(store, project, filters), ...anyOf("status", wanted)],
    order: order_by === "status" ? "status_order" : order_by,
    descending: sort === "desc",
    page,
  });
}

/** Counts the alerts in each status, among those that the filters leave. */
export function countAlerts({ store }: Context, project: ProjectRecord, filters: Filters) {
  const where = conditions(store, project, filters);
  const count = (key: AlertStatus) => store.count(alerts, [...where, { index: "status", key }]);
  const counts = Object.fromEntries(alertStatuses.map((status) => [status, count(status)])) as Record<
    AlertStatus,
    number
  >;
  const { triggered, acknowledged, resolved, ignored } = counts;
  const open = triggered + acknowledged;
  return { all: open + resolved + ignored, open, triggered, acknowledged, resolved, ignored };
}

function conditions(store: Context["store"], project: ProjectRecord, filters: Filters): AlertCondition[] {
  const { severity, search, assignee_username, environment, iids } = filters;
  const words = searchWords(search ?? "");
  return [
    { index: "project_id", key: project.id },
    ...anyOf("severity_name", severity),
    ...anyOf("number", iids),
    ...(assignee_username ? [assignedTo(store, assignee_username)] : []),
    ...(environment ? [{ index: "environment_name", key: environment } as const] : []),
    ...(words.length > 0 ? [{ index: "words", contains: words } as const] : []),
  ];
}

function assignedTo(store: Context["store"], username: string): AlertCondition {
  const isUnassigned: AlertCondition = { index: "assignee_id", key: unassigned };
  switch (noneOrAny(username)) {
    case "none":
      return isUnassigned;
    case "any":
      return { not: isUnassigned };
    default: {
      const user = findUserByUsername(store, username);
      return user === undefined ? { ids: [] } : { index: "assignee_id", key: user.id };
    }
  }
}

/** No condition where nothing is wanted. */
function anyOf(
  index: "status" | "severity_name" | "number",
  keys: readonly (string | number)[] | undefined,
): AlertCondition[] {
  if (keys === undefined || keys.length === 0) return [];
  return [{ anyOf: keys.map((key) => ({ index, key })) }];
}
