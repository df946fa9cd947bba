import { Type } from "@sinclair/typebox";
import { servicePlaceOf, WriteQuota } from "../../core/users/index.ts";
import { type Operation, ok, operation } from "../../kernel/operation.ts";
import type { RawBody } from "../../kernel/raw-request.ts";
import { readDocument } from "./documents.ts";
import { readEnvelope } from "./envelope.ts";
import { ReportRate } from "./rate.ts";
import { tooLarge, unreadable } from "./refusals.ts";
import { Report } from "./schema.ts";
import { collectEvent, getReportedProject, isActiveKey, publicKeyOf } from "./service-collector.ts";

/** The body of a client library: read in the same way, whatever the declared type. */
const reportBody: RawBody = {
  sizeBytesMax: 1024 * 1024,
  types: [
    "",
    "application/x-sentry-envelope",
    "application/json",
    "text/plain",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ],
  codings: ["gzip", "deflate", "br"],
  refuseSize: tooLarge,
  refuseUnreadable: unreadable,
};

/** `read` gives the event in a body; undefined when there is nothing to keep. */
function reportOperation(path: string, summary: string, read: (bytes: Uint8Array) => unknown): Operation {
  return operation({
    method: "POST",
    path: `/error_tracking/collector/api/:id/${path}`,
    summary,
    who: "anyone",
    scopes: "any",
    params: Report,
    body: reportBody,
    http: {
      knowsSender: (context, { header, query: { sentry_key } }) =>
        isActiveKey(context, publicKeyOf(typeof sentry_key === "string" ? sentry_key : undefined, { header })),
    },
    answer: ok(Type.Object({})),
    failures: ["invalid", "not_found", "no_room"],
    async handle({ context, params, raw }) {
      const address = { projectId: params.id, publicKey: publicKeyOf(params.sentry_key, raw) };
      const project = getReportedProject(context, address);
      const rate = context.get(ReportRate);
      const key = address.publicKey ?? "";
      rate.count(key);
      context.get(WriteQuota).enter(servicePlaceOf(context.store, project));
      const bytes = await raw.bytes();
      rate.countBytes(key, bytes.byteLength);
      const payload = read(bytes);
      if (payload !== undefined) {
        await collectEvent(context, payload, () => getReportedProject(context, address));
      }
      return {};
    },
  });
}

/** The receivers of client libraries' reports (error-tracking C). */
export const collectorOperations: readonly Operation[] = [
  reportOperation("store", "Report an event", readDocument),
  reportOperation("envelope", "Report an envelope", readEnvelope),
];
