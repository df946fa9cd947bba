/** The periodic work that removes credentials from stored import addresses. */

import { withoutUserinfo } from "../../../lib/web-address.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import { projects } from "./records.ts";

/** Removes users and passwords from the addresses of imports that an older version stored. */
export const importAddressCleaning: CronJob = {
  name: "addresses of imports",
  schedule: daily,
  atStart: true,
  async run({ context: { store }, pace }) {
    const documents = store.of(projects);
    for (const id of [...documents.by.flag.find("imported")]) {
      const project = documents.get(id);
      if (project === undefined || project.import_url === null) continue;
      const import_url = withoutUserinfo(project.import_url);
      if (import_url !== project.import_url) store.transact((tx) => tx.update(projects, { ...project, import_url }));
      await pace();
    }
  },
};
