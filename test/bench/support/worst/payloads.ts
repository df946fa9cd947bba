import { fingerprintOfPayload } from "../../../../src/modules/monitoring/alerts/payload/fingerprint.ts";
import {
  type JsonObject,
  payloadBytesMax,
  readPayload,
} from "../../../../src/modules/monitoring/alerts/payload/json.ts";
import { readMetrics } from "../../../../src/modules/monitoring/alerts/payload/metrics.ts";
import { stackTraceOf } from "../../../../src/modules/monitoring/error-tracking/stack-trace.ts";
import { many, type WorstInput, worst } from "./input.ts";

const now = "2020-01-01T00:00:00.000Z" as never;
const payload = (text: string) => () => {
  const bytes = Buffer.from(text);
  return () => readPayload(bytes);
};
const keys = (count: number, value: unknown) =>
  Object.fromEntries(many(count, (at) => `k${at}`).map((key) => [key, value]));

function fingerprint(object: JsonObject) {
  return () => () => fingerprintOfPayload(object);
}

export const payloadInputs: readonly WorstInput[] = [
  worst("alerts: valueSteps", "90,000 keys", payload(`{${many(90_000, (at) => `"${at.toString(36)}":1`).join(",")}}`)),
  worst("alerts: valueSteps", "90,000 arrays", payload(`{"a":[${many(90_000, () => "[]").join(",")}]}`)),
  worst("alerts: bytesPerStep", "a text of escapes", payload(`{"a":"${"\\u0061".repeat(payloadBytesMax / 6 - 2)}"}`)),
  worst("alerts: leafSteps", "90,000 leaves", fingerprint(keys(90_000, { a: 1 }))),
  worst("alerts: leafSteps", "4,000 long paths", fingerprint({ ["x".repeat(1_000)]: keys(4_000, 1) })),
  worst("alerts: itemSteps", "17,000 alerts", () => {
    const alerts = Array.from({ length: 17_000 }, () => ({ startsAt: now, labels: { alertname: "x" } }));
    return () => readMetrics({ alerts }, { mappings: new Map(), now } as never);
  }),
  worst("errors: entrySteps", "90,000 frames", () => {
    const event = { exception: { values: [{ stacktrace: { frames: Array.from({ length: 90_000 }, () => ({})) } }] } };
    return () => stackTraceOf(event);
  }),
  worst("errors: entrySteps", "90,000 lines around a frame", () => {
    const frame = { lineno: 5, pre_context: Array(90_000).fill("") };
    return () => stackTraceOf({ exception: { values: [{ stacktrace: { frames: [frame] } }] } });
  }),
];
