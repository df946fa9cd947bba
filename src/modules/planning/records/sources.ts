/** The source of a record. */

import type { SourceRef } from "../../core/access/index.ts";

/** The project or group that a label or milestone belongs to. */
export function sourceOf(record: { readonly source_type: SourceRef["type"]; readonly source_id: number }): SourceRef {
  return { type: record.source_type, id: record.source_id };
}
