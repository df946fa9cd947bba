/** The periodic work that removes expired shares. */

import { theServer } from "../../../domain/caller.ts";
import { Access } from "../../core/access/index.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import { isExpired } from "../../members/members/records.ts";
import { groupLinks } from "./records.ts";
import { removeLink } from "./service-links.ts";

/** Removes expired shares (members-and-access 4.6). */
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
      store.transact((tx) => removeLink(tx, context, theServer, link));
      await pace();
    }
  },
};
