import { type DateTime, parseDateTime } from "../../../lib/datetime.ts";
import { nearest } from "../../../lib/text/nearest.ts";
import { entityTypeNamed, entityTypes } from "../../../modules/core/audit-events/records.ts";
import { print } from "../../output/terminal.ts";
import { withStore, wrongUse } from "../../store-access.ts";
import type { StoreFlags } from "../../store-command.ts";

export interface ExportFlags {
  readonly format: "jsonl" | "csv";
  readonly from?: string;
  readonly to?: string;
  /** `Project:12`, or only a type. */
  readonly entity?: string;
}

const command = "audit-events export";

/** Prints the audit events of a store, oldest first, in every edition. Throws the errors of `withStore`. */
export async function exportAuditEvents(flags: ExportFlags & StoreFlags): Promise<void> {
  const values = valuesOf(flags);
  await withStore(flags, async (store) => {
    for await (const piece of store.file({ method: "GET", path: "/-/audit-events/export", values })) {
      if (!(await print(piece))) return;
    }
  });
}

function valuesOf({ format, from, to, entity }: ExportFlags): Readonly<Record<string, string>> {
  const [after, before] = [momentOf("from", from), momentOf("to", to)];
  return {
    format,
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
    ...entityOf(entity),
  };
}

function momentOf(flag: string, given: string | undefined): DateTime | undefined {
  if (given === undefined) return undefined;
  const moment = parseDateTime(given);
  if (moment === undefined) {
    throw wrongUse(command, `--${flag} is ${JSON.stringify(given)}; expected a time such as 2027-01-31T09:30:00Z`);
  }
  return moment;
}

function entityOf(given: string | undefined): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const [, name = "", digits] = /^(.*?)(?::(\d+))?$/.exec(given) ?? [];
  const type = entityTypeNamed(name);
  if (type === undefined) {
    throw wrongUse(
      command,
      `${JSON.stringify(name)} is not a subject of audit events; the nearest is ${nearest(name, entityTypes)}`,
    );
  }
  return { entity_type: type, ...(digits === undefined ? {} : { entity_id: digits }) };
}
