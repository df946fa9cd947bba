/** The periodic work that announces tokens that expire soon. */

import { dayMs, toCalendarDate } from "../../../lib/datetime.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import { publish } from "../../kernel/event.ts";
import { accessTokenExpiryAnnounced, announcedDays } from "./events.ts";
import { accessTokens } from "./records.ts";

/** Announces each token 7 days before its end and 1 day before it; once each, even if the server restarts. */
export const accessTokenExpiry: CronJob = {
  name: "access tokens that expire soon",
  schedule: daily,
  atStart: true,
  async run({ context, pace }) {
    const { store, clock } = context;
    const dayIn = (days: number) => toCalendarDate(clock.now() + days * dayMs);
    const ids = [...store.of(accessTokens).by.expires_at.between(dayIn(1), dayIn(announcedDays[0]))];
    for (const id of ids) {
      await pace();
      const token = store.of(accessTokens).get(id);
      if (token === undefined || token.revoked || token.expires_at === null) continue;
      const { expires_at, announced_days = Number.POSITIVE_INFINITY } = token;
      const days = announcedDays.findLast((each) => expires_at <= dayIn(each));
      if (days === undefined || announced_days <= days) continue;
      store.transact((tx) => {
        const announced = tx.update(accessTokens, { ...token, announced_days: days });
        publish(tx, context, accessTokenExpiryAnnounced, { token: announced, days });
      });
    }
  },
};
