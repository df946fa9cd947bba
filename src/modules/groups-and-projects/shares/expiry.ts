/** The periodic work that removes expired shares. */

import { Access, groupLinks, isExpired } from "../../core/access/index.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import { nobody } from "../../members/members/index.ts";
import { removeLink } from "./service-links.ts";

/** Takes shares away that are over (members-and-access 4.6). */
export const shareExpiry: CronJob = {
  name: "expired shares",
  schedule: daily,
  atStart: true,
  async run({ context, pace }) {
    const { store } = context;
    const access = context.get(Access);
    for (const id of [...store.of(groupLinks).by.expires_at.between(undefined, access.today)]) {
      const link = store.of(groupLinks).get(id);
      if (link === undefined || !isExpired(link, access.today)) continue;
      store.transact((tx) => removeLink(tx, context, nobody, link));
      await pace();
    }
  },
};
