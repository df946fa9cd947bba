/** Audit events as lines of CSV. */

import type { AuditEventRecord } from "./records.ts";

const columns = [
  ...["id", "created_at", "event_name", "author_id", "author_name", "author_email", "author_class"],
  ...["entity_type", "entity_id", "entity_path", "target_type", "target_id", "target_details", "ip_address"],
  ...["custom_message", "add", "as", "change", "from", "to", "remove", "member_id", "expiry_from", "expiry_to"],
  "failed_login",
];

/** The names of the columns: fields of the event, then of its details. */
export const csvHead = `${columns.join(",")}\r\n`;

/** One event as a line (RFC 4180). Absent fields are empty. */
export function csvLine({ details, ...event }: AuditEventRecord): string {
  const fields: Readonly<Record<string, unknown>> = { ...details, ...event };
  return `${columns.map((column) => cellOf(fields[column])).join(",")}\r\n`;
}

/** Characters that begin a formula, also in the width of Chinese ones, and what spreadsheets leave out before them. */
const formulaStart = /^(?=[=+\-@＝＋－＠\t\r\n])/u;

/** Names are the choice of users: one that a spreadsheet would take for a formula gets a quote before it. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value.replace(formulaStart, "'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
