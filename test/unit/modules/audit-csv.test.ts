import { expect, test } from "bun:test";
import { csvHead, csvLine } from "../../../src/modules/core/audit-events/csv.ts";
import type { AuditEventRecord } from "../../../src/modules/core/audit-events/records.ts";

const event = {
  id: 7,
  author_id: -1,
  entity_id: 3,
  entity_type: "User",
  event_name: "user_name_updated",
  created_at: "2026-01-02T03:04:05.006Z",
  details: {
    event_name: "user_name_updated",
    author_name: "Ann",
    author_email: null,
    author_class: "User",
    target_id: "-2",
    target_type: "User",
    target_details: "Ann",
    ip_address: null,
    entity_path: "ann",
  },
} as const satisfies AuditEventRecord;

/** The cell of a column that has no comma in any cell before it. */
function cell(line: string, column: string): string | undefined {
  return line.trimEnd().split(",")[csvHead.trimEnd().split(",").indexOf(column)];
}
const named = (author_name: string) => csvLine({ ...event, details: { ...event.details, author_name } });

test.each(["=1", "+1", "-1", "@a", "\t=1", "＝1", "＋1", "－1", "＠a"])("%j is a text, no formula", (name) => {
  expect(cell(named(name), "author_name")).toBe(`'${name}`);
});

test.each([
  ["\r=1", `"'\r=1"`],
  ["\n=1", `"'\n=1"`],
  ['say "a", b', `"say ""a"", b"`],
  ["two\nlines", `"two\nlines"`],
])("%j is quoted", (name, quoted) => {
  expect(named(name)).toContain(`,-1,${quoted},,User,`);
});

test("numbers stay numbers, and absent values are empty", () => {
  expect([cell(csvLine(event), "author_id"), cell(csvLine(event), "target_id")]).toEqual(["-1", "'-2"]);
  expect([cell(csvLine(event), "author_email"), cell(csvLine(event), "expiry_to")]).toEqual(["", ""]);
});
