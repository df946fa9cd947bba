/** The ring of the requests that were answered last. */

import type { Clock } from "../../../domain/clock.ts";
import type { FailureBody } from "../../../domain/failure.ts";
import { serviceKey } from "../../kernel/service.ts";

/** The most requests that are remembered; the oldest one is replaced first. */
export const requestsMax = 2_000;
/** Longer targets are not kept: a client that sends only such ones must not fill the memory. */
const targetLengthMax = 4_000;
const bodyNamesMax = 50;
const nameLengthMax = 100;

/** One answered request. The ring uses each again for a later request. */
export interface RequestEntry {
  /** Requests are counted from 1 since the start. */
  id: number;
  /** When it was answered, in milliseconds since 1970. */
  atMs: number;
  requestId: string;
  method: string;
  /** The operation's pattern; undefined: no operation answered. */
  route: string | undefined;
  /** As sent, with the names of things in it; empty for one that is too long to be kept. */
  path: string;
  /** The query as sent, tokens included: only its names may be shown. */
  search: string;
  status: number;
  durationMs: number;
  /** The owner of the credential. */
  userId: number | undefined;
  bodyNames: readonly string[] | undefined;
  /** The `Content-Length` of the request. */
  requestBytes: string | null;
  /** Bytes of the body of the answer; undefined: it is sent as a stream. */
  responseBytes: number | undefined;
  /** The error that the answer named. */
  refusal: FailureBody | undefined;
}

/** The requests that were answered last, in memory since the start. Each costs one clock reading and some assignments. */
export class RequestRing {
  readonly #clock: Pick<Clock, "now">;
  readonly #entries: RequestEntry[] = [];
  #last = 0;
  #serverErrors = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** The id of the newest request; 0: there was none yet. */
  get last(): number {
    return this.#last;
  }

  /** Requests since the start whose status was 5xx. */
  get serverErrors(): number {
    return this.#serverErrors;
  }

  /** The entry for a request that was answered just now. The caller fills in all but `id`, `atMs`, `status` and the target. */
  add(path: string, search: string, status: number): RequestEntry {
    this.#last += 1;
    if (status >= 500) this.#serverErrors += 1;
    const index = this.#last % requestsMax;
    const entry = this.#entries[index] ?? this.#createAt(index);
    const isKept = path.length + search.length <= targetLengthMax;
    entry.id = this.#last;
    entry.atMs = this.#clock.now();
    entry.path = isKept ? path : "";
    entry.search = isKept ? search : "";
    entry.status = status;
    return entry;
  }

  /** The entry of an id; undefined: it was replaced, or there is none yet. */
  find(id: number): RequestEntry | undefined {
    const entry = this.#entries[id % requestsMax];
    return entry?.id === id ? entry : undefined;
  }

  /** Newest first, from below an id. An entry is good until the next request is answered. */
  *entries(below = Number.POSITIVE_INFINITY): Generator<RequestEntry> {
    for (let id = Math.min(this.#last, below - 1); id > 0; id -= 1) {
      const entry = this.find(id);
      if (entry === undefined) return;
      yield entry;
    }
  }

  /** The first place is used by the 2,000th request. */
  #createAt(index: number): RequestEntry {
    const entry: RequestEntry = {
      ...{ id: 0, atMs: 0, requestId: "", method: "", route: undefined, path: "", search: "", status: 0 },
      ...{ durationMs: 0, userId: undefined, bodyNames: undefined, requestBytes: null },
      ...{ responseBytes: undefined, refusal: undefined },
    };
    this.#entries[index] = entry;
    return entry;
  }
}

export const RecentRequests = serviceKey("recent-requests", ({ clock }) => new RequestRing(clock));

/** Names of the parameters of a body; long ones are left out, so that little of the body stays in memory. */
export function parameterNamesOf(values: object): readonly string[] {
  const names: string[] = [];
  for (const name in values) {
    if (names.length === bodyNamesMax) break;
    if (name.length <= nameLengthMax) names.push(name);
  }
  return names;
}
