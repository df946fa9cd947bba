import { join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { nearest } from "../../../config/nearest.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { type DateTime, parseDateTime } from "../../../lib/datetime.ts";
import {
  csvHead,
  csvLine,
  type EventFilter,
  entityTypeNamed,
  entityTypes,
  eventsWithin,
} from "../../../modules/core/audit-events/index.ts";
import { createServerContext } from "../../../server/bootstrap.ts";
import { systemDisk } from "../../../store/index.ts";
import { createLog } from "../../log/logger.ts";
import { print } from "../../output/terminal.ts";

export interface ExportFlags {
  readonly format: "jsonl" | "csv";
  readonly from?: string;
  readonly to?: string;
  /** `Project:12`, or a type alone. */
  readonly entity?: string;
}

/**
 * Prints the audit events of a store, oldest first, whatever the edition. Throws `StartError` for wrong use, for a
 * folder without a store, and for one that a server holds.
 */
export async function exportAuditEvents(flags: ExportFlags, config: Config): Promise<void> {
  const filter = check(flags);
  const folder = config.dataFolder;
  if (!systemDisk.exists(join(folder, "manifest.json"))) {
    throw new StartError(`${folder} holds no store`, "outpost audit-events export --data DIR");
  }
  const isCsv = flags.format === "csv";
  const lineOf = isCsv ? csvLine : (event: unknown) => `${JSON.stringify(event)}\n`;
  const { context } = await createServerContext(config, createLog(config));
  try {
    if (isCsv && !(await print(csvHead))) return;
    for (const events of eventsWithin(context, filter)) {
      if (events.length > 0 && !(await print(events.map(lineOf).join("")))) return;
    }
  } finally {
    await context.store.close();
  }
}

function check({ from, to, entity }: ExportFlags): EventFilter {
  const [after, before] = [momentOf("from", from), momentOf("to", to)];
  return {
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
    ...entityOf(entity),
  };
}

function momentOf(flag: string, given: string | undefined): DateTime | undefined {
  if (given === undefined) return undefined;
  const moment = parseDateTime(given);
  if (moment === undefined) {
    throw wrong(`--${flag} is ${JSON.stringify(given)}; expected a time such as 2027-01-31T09:30:00Z`);
  }
  return moment;
}

function entityOf(given: string | undefined): Pick<EventFilter, "entity_type" | "entity_id"> {
  if (given === undefined) return {};
  const [, name = "", digits] = /^(.*?)(?::(\d+))?$/.exec(given) ?? [];
  const type = entityTypeNamed(name);
  if (type === undefined) {
    throw wrong(
      `${JSON.stringify(name)} is not a subject of audit events; the nearest is ${nearest(name, entityTypes)}`,
    );
  }
  return { entity_type: type, ...(digits === undefined ? {} : { entity_id: Number(digits) }) };
}

function wrong(message: string): StartError {
  return new StartError(message, "outpost audit-events export --help", { exitCode: exitCodes.usage });
}
