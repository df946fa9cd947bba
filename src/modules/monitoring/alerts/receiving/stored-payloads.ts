/** The payloads of alerts; long ones are blobs. */

import type { StoredBlob } from "../../../../store/index.ts";
import { Quotas } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import type { AlertReport } from "../payload/index.ts";
import { type AlertPayloadRecord, type AlertRecord, alertPayloads } from "../records.ts";

/** The size in bytes beyond which a payload becomes a blob. */
const textBytesMax = 16_384;

type PayloadContent = Omit<AlertPayloadRecord, "id">;

/** The payloads of some reports, ready to be named by records; `release` once they are. */
interface StoredPayloads {
  of(report: AlertReport): PayloadContent;
  release(): void;
}

/** Puts the long ones of these payloads on disk. One that turns out to be needed all the same becomes a text. Throws 507. */
export async function writePayloads(
  context: Context,
  projectId: number,
  reports: readonly AlertReport[],
): Promise<StoredPayloads> {
  const quotas = context.get(Quotas);
  const blobs = new Map<AlertReport, StoredBlob>();
  const release = () => {
    for (const blob of blobs.values()) blob.release();
  };
  try {
    for (const report of reports) {
      const text = JSON.stringify(report.payload);
      // A text has no more bytes than three for each of its units.
      if (text.length * 3 <= textBytesMax) continue;
      const bytes = Buffer.from(text);
      if (bytes.length > textBytesMax) blobs.set(report, await quotas.writeBlob(`project ${projectId}`, [bytes]));
    }
  } catch (error) {
    release();
    throw error;
  }
  return {
    of(report) {
      const blob = blobs.get(report);
      return blob === undefined
        ? { text: JSON.stringify(report.payload) }
        : { blob: blob.hash, size: blob.size, project_id: projectId };
    },
    release,
  };
}

/** The JSON of the payload of an alert, as it was sent. */
export function payloadTextOf({ store }: Context, { id }: AlertRecord): string {
  const stored = store.of(alertPayloads).get(id);
  const text = stored?.blob === undefined ? stored?.text : Buffer.from(store.blobs.read(stored.blob)).toString();
  return text ?? "{}";
}
