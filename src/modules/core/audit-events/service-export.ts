import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { csvHead, csvLine } from "./csv.ts";
import { type EventFilter, eventsWithin } from "./service-list.ts";

const contentTypes = { jsonl: "application/jsonl", csv: "text/csv; charset=utf-8" };

/**
 * `GET /-/audit-events/export`: one JSON object per line, or CSV with a head, as fast as the client reads. Each piece waits
 * until its events are on disk: those that come during the answer are a part of it.
 */
export function exportEvents(context: Context, filter: EventFilter, format: "jsonl" | "csv"): FileContent {
  const pieces = textsOf(context, filter, format);
  const content = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = pieces.next();
      await context.store.settled();
      if (done === true) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
  });
  return { contentType: contentTypes[format], content };
}

function* textsOf(context: Context, filter: EventFilter, format: "jsonl" | "csv"): Generator<string, undefined> {
  if (format === "csv") yield csvHead;
  const lineOf = format === "csv" ? csvLine : (event: unknown) => `${JSON.stringify(event)}\n`;
  for (const events of eventsWithin(context, filter)) if (events.length > 0) yield events.map(lineOf).join("");
  return undefined;
}
