import type { Static } from "@sinclair/typebox";
import { version } from "../../../../package.json" with { type: "json" };
import { type Page, type PageRequest, pageOfAll } from "../../../domain/page.ts";
import { spend } from "../../../domain/work-budget.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { type Exchange, Exchanges } from "./exchanges.ts";
import { harEntry, harHead, harTail } from "./har.ts";
import type { ListRequests } from "./schema.ts";

type Filter = Omit<Static<typeof ListRequests>, "format">;

/** Characters that are searched in one step. */
const charactersPerStep = 16;

/** Newest first. */
export function listRequests(context: Context, filter: Filter, page: PageRequest): Page<Exchange> {
  return pageOfAll(fitting(context, filter), page);
}

/** `?format=har`: one file with all of them, oldest first, as fast as the client reads. */
export function exportRequests(context: Context, filter: Filter): FileContent {
  const entries = fitting(context, filter).reverse();
  let at = -1;
  const content = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const entry = entries[at];
      if (at < 0) controller.enqueue(Buffer.from(harHead(version)));
      else if (entry !== undefined) controller.enqueue(Buffer.from(`${at === 0 ? "" : ",\n"}${harEntry(entry)}`));
      else {
        controller.enqueue(Buffer.from(harTail));
        controller.close();
      }
      at += 1;
    },
  });
  return { contentType: "application/json", content };
}

export function deleteRequests(context: Context): void {
  context.get(Exchanges).clear();
}

function fitting(context: Context, filter: Filter): Exchange[] {
  const { method, route, status, user, since, contains, internal: withInternal = false } = filter;
  const sinceMs = since === undefined ? undefined : Date.parse(since);
  const found: Exchange[] = [];
  for (const exchange of context.get(Exchanges).newestFirst({ withInternal })) {
    spend(1);
    if (sinceMs !== undefined && exchange.startedMs < sinceMs) continue;
    if (method !== undefined && exchange.method !== method) continue;
    if (route !== undefined && exchange.route !== route) continue;
    if (status !== undefined && exchange.status !== status) continue;
    if (user !== undefined && exchange.user !== user) continue;
    if (contains === undefined || hasText(exchange, contains)) found.push(exchange);
  }
  return found;
}

function hasText({ url, request, response }: Exchange, wanted: string): boolean {
  return [url, request.body ?? "", response.body ?? ""].some((text) => {
    spend(Math.ceil(text.length / charactersPerStep));
    return text.includes(wanted);
  });
}
