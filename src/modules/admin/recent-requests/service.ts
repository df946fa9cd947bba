import type { Static } from "@sinclair/typebox";
import { type Page, type PageRequest, pageOfAll } from "../../../domain/page.ts";
import { users } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { ListRecentRequests } from "./schema.ts";

/** A request that was answered, as the server keeps it without looking into it. */
interface NotedRequest {
  /** Milliseconds since 1970 at the answer. */
  readonly answeredMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  /** The query without the `?`, with its values: nothing may show these. */
  readonly search: string;
  /** Names in the body. */
  readonly fields: readonly string[];
  /** Pattern of the operation; undefined: none has the path. */
  readonly route: string | undefined;
  readonly status: number;
  readonly userId: number | undefined;
  readonly requestId: string;
  /** Header of the request; null: it had none. */
  readonly contentLength: string | null;
  /** The cause of the refusal, as it would be now; undefined: the request was not refused. */
  readonly refusal: (() => string) | undefined;
}

export interface RecentRequest extends NotedRequest {
  /** Rises with each one since the start. */
  readonly id: number;
}

const requestsMax = 2_000;

/** The last requests, in memory since the start. Noting one costs no more than an object. */
export class RecentRequestLog {
  /** A ring: the oldest is at `#count % requestsMax` once it is full. */
  readonly #ring: NotedRequest[] = [];
  #count = 0;

  note(request: NotedRequest): void {
    this.#ring[this.#count % requestsMax] = request;
    this.#count += 1;
  }

  /** The latest first. */
  *newestFirst(): Generator<RecentRequest, undefined> {
    for (let back = 1; back <= this.#ring.length; back += 1) {
      const at = this.#count - back;
      yield { ...(this.#ring[at % requestsMax] as NotedRequest), id: at + 1 };
    }
    return undefined;
  }
}

export const RecentRequests = serviceKey("recent-requests", () => new RecentRequestLog());

/** Newest first. */
export function listRecentRequests(
  context: Context,
  { method, route, status, user }: Static<typeof ListRecentRequests>,
  page: PageRequest,
): Page<RecentRequest> {
  const { store } = context;
  const isWanted = (request: RecentRequest) =>
    (method === undefined || request.method === method) &&
    (route === undefined || request.route === route) &&
    (status === undefined || `${Math.floor(request.status / 100)}xx` === status) &&
    (user === undefined || (request.userId !== undefined && store.of(users).get(request.userId)?.username === user));
  return pageOfAll([...context.get(RecentRequests).newestFirst()].filter(isWanted), page);
}
