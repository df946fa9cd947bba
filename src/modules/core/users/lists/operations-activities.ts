import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../../domain/page.ts";
import { date, optional } from "../../../../domain/parameters.ts";
import type { CalendarDate } from "../../../../lib/datetime.ts";
import { toCalendarDate } from "../../../../lib/datetime.ts";
import { operation, pageOf } from "../../../kernel/operation.ts";
import { canReadAsAdministrator } from "../policy.ts";
import { users } from "../records.ts";
import { hiddenFromOthers } from "./service-list.ts";

/** users-and-auth 13. Both dates are the same one. */
const UserActivity = Type.Object(
  {
    username: Type.String(),
    last_activity_on: Type.String({ format: "date" }),
    last_activity_at: Type.String({ format: "date" }),
  },
  { $id: "UserActivity" },
);

export const activityOperations = [
  operation({
    method: "GET",
    path: "/user/activities",
    summary: "List the last activity of users",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({ from: optional(date({ description: "six months ago by default" })) }),
    answer: pageOf(UserActivity),
    handle({ context, caller, params, page }) {
      const from = params.from ?? sixMonthsBefore(context.clock.now());
      const found = context.store.page(users, {
        where: [
          { index: "last_activity_on", from, to: undefined },
          ...(canReadAsAdministrator(context, caller)
            ? []
            : [...hiddenFromOthers, { not: { index: "flag", key: "private_profile" } } as const]),
        ],
        order: "last_activity_on",
        descending: false,
        page,
      });
      return mapPage(found, ({ username, last_activity_on }) => ({
        username,
        last_activity_on,
        last_activity_at: last_activity_on,
      }));
    },
  }),
];

/** The same day of the month, or the last one of a month that is shorter. */
function sixMonthsBefore(now: number): CalendarDate {
  const day = new Date(now);
  const month = day.getUTCMonth() - 6;
  const lastOfMonth = new Date(Date.UTC(day.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return toCalendarDate(Date.UTC(day.getUTCFullYear(), month, Math.min(day.getUTCDate(), lastOfMonth)));
}
