/** Activity of the users of a new demo. It causes mails, and an administrator makes the first backup. */

import { findOperation, performInProcess } from "../../../http/entry/in-process.ts";
import type { RawValues } from "../../../http/params/values.ts";
import { RequestedBackup } from "../../../modules/admin/backups/index.ts";
import { findUserByUsername } from "../../../modules/core/users/index.ts";
import type { Context } from "../../../modules/kernel/context.ts";
import { operations } from "../../../modules/operations.ts";

interface DemoCall {
  readonly as: string;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

const calls: readonly DemoCall[] = [
  {
    as: "tomas",
    path: "/projects/skylark%2Ffirmware%2Fanemometer/issues",
    values: {
      title: "Gusts above 40 m/s are cut off",
      description: "Seen on three masts. Can we ship a fix this week?\n\n/assign @mara.quist",
    },
  },
  {
    as: "mara.quist",
    path: "/projects/skylark%2Ffirmware%2Fanemometer/issues",
    values: { title: "Write down how a mast is calibrated", description: "@tomas knows it best." },
  },
  {
    as: "kofi-a",
    path: "/projects/skylark%2Fcloud%2Fingest/issues",
    values: { title: "Retry a reading that came twice", description: "cc @mara.quist @ines_moreau" },
  },
];

/** Performs the calls with all checks of the API. Throws the `Failure` of a refused one. */
export async function bringDemoToLife(context: Context): Promise<void> {
  for (const { as, path, values } of calls) {
    const found = findOperation(operations, "POST", path);
    const user = findUserByUsername(context.store, as);
    if (found === undefined || user === undefined) throw new Error(`the demo has no ${as}, or no POST ${path}`);
    const given: RawValues = Object.assign(Object.create(null), values);
    const caller = { user, token: undefined, ipAddress: null };
    await performInProcess(context, found, { values: given, caller });
  }
  await context.store.settled();
  context.get(RequestedBackup).start();
}
