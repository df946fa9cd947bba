/** The limits on requests and bodies that a server handles at one time. */

import { Failure } from "../../domain/failure.ts";
import { serviceKey } from "./service.ts";

/** Number and bytes of bodies that are on their way at one time. */
export interface TransferShare {
  readonly count: number;
  readonly bytes: number;
}

/** Limits on the bodies that are on their way in one direction at one time. */
export interface TransferLimits {
  /** All of them together. */
  readonly all: TransferShare;
  /** All bodies of strangers together. */
  readonly strangers: TransferShare;
  /** Bodies of strangers to or from one address. */
  readonly strangersOfAddress: TransferShare;
  /** Bodies of known users to or from one address. */
  readonly address: TransferShare;
  /** Bodies of one user. */
  readonly user: TransferShare;
}

/** Limits on the requests that a server handles at one time. */
export interface LoadLimits {
  /** Requests that wait for the disk, for a hash or for other work; the next one is refused. */
  readonly working: number;
  /** Requests of one user among them. */
  readonly workingOfUser: number;
  /** Bodies of requests that arrive. */
  readonly requests: TransferLimits;
  /** Large bodies of answers that are sent. */
  readonly answers: TransferLimits;
}

const mib = 1024 * 1024;
const [all, strangers] = [
  { count: 4_096, bytes: 1_024 * mib },
  { count: 1_024, bytes: 256 * mib },
];
const loadLimits: LoadLimits = {
  working: 4_096,
  workingOfUser: 1_024,
  requests: {
    ...{ all, strangers },
    strangersOfAddress: { count: 64, bytes: 64 * mib },
    ...{ address: { count: 1_024, bytes: 512 * mib }, user: { count: 512, bytes: 512 * mib } },
  },
  answers: {
    ...{ all, strangers },
    strangersOfAddress: { count: 64, bytes: 32 * mib },
    ...{ address: { count: 1_024, bytes: 512 * mib }, user: { count: 512, bytes: 128 * mib } },
  },
};
/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 1;

/** Refuses a request beyond the limits with 503, so that no queue grows without an end. */
export function overloaded(): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { retryAfterSeconds });
}

/**
 * Requests that a server has accepted and not answered yet. Bodies count as long as they arrive, and nowhere else then;
 * their bytes count as long as a handler may have them.
 */
export class Load {
  readonly requests: Transfers;
  readonly answers: Transfers;
  readonly #limits: LoadLimits;
  readonly #waitingOf = new Map<number, number>();
  #waiting = 0;

  constructor(limits = loadLimits) {
    const { requests, answers } = limits;
    this.#limits = limits;
    this.requests = new Transfers(requests);
    this.answers = new Transfers(answers);
  }

  /** True when the server must refuse a request that may have to wait. */
  get isFull(): boolean {
    return this.#waiting - this.requests.count >= this.#limits.working;
  }

  /** A request begins to wait for its answer; `leave` ends that. */
  enter(): void {
    this.#waiting += 1;
  }

  leave(): void {
    this.#waiting -= 1;
  }

  /** Throws 503 where too many requests of a user wait. */
  requireRoomFor(userId: number | undefined): void {
    if (userId !== undefined && this.#waitingFor(userId) >= this.#limits.workingOfUser) throw overloaded();
  }

  /** Counts a request of a user that waits; the returned function ends that. */
  wait(userId: number | undefined): () => void {
    if (userId === undefined) return () => {};
    this.#waitingOf.set(userId, this.#waitingFor(userId) + 1);
    return () => {
      const left = this.#waitingFor(userId) - 1;
      if (left === 0) this.#waitingOf.delete(userId);
      else this.#waitingOf.set(userId, left);
    };
  }

  #waitingFor(userId: number): number {
    return this.#waitingOf.get(userId) ?? 0;
  }
}

/** The client at the other end of a transfer. */
export interface Peer {
  /** The address by which connections are counted; undefined where there is none, as at a socket file. */
  readonly address: string | undefined;
  /** The head of the request shows no valid credential. */
  readonly isStranger: boolean;
  readonly userId?: number | undefined;
}

/** One body on its way. */
export interface Transfer {
  /** Counts further bytes of it. Throws 503 when there are too many, unless this body may not be refused. */
  add(bytes: number): void;
  /** All of it came: it is no longer on its way, but its bytes count until `end`. */
  arrived(): void;
  end(): void;
}

/** Bodies on their way in one direction. */
export class Transfers {
  readonly #all: Held;
  readonly #strangers: Held;
  readonly #peers = new Map<string, Held>();
  readonly #limits: TransferLimits;

  constructor(limits: TransferLimits) {
    this.#limits = limits;
    this.#all = new Held(limits.all);
    this.#strangers = new Held(limits.strangers);
  }

  get count(): number {
    return this.#all.count;
  }

  /**
   * Counts a body until `end` is called. Throws 503 when there are too many, of all, of the peer's kind, of its address or
   * of its user; `mayRefuse: false` counts it all the same. A body is never too large by itself.
   */
  begin(peer: Peer, mayRefuse = true): Transfer {
    const ofPeer = this.#heldOf(peer);
    const held = peer.isStranger ? [this.#all, this.#strangers, ...ofPeer] : [this.#all, ...ofPeer];
    if (mayRefuse && held.some((each) => each.isFull)) throw overloaded();
    for (const each of held) each.count += 1;
    for (const each of ofPeer) this.#peers.set(each.name, each);
    let ownBytes = 0;
    let isOnItsWay = true;
    const arrived = () => {
      for (const each of held) each.count -= isOnItsWay ? 1 : 0;
      isOnItsWay = false;
    };
    return {
      add: (bytes) => {
        ownBytes += bytes;
        for (const each of held) each.bytes += bytes;
        if (mayRefuse && held.some((each) => each.isTooLargeWith(ownBytes))) throw overloaded();
      },
      arrived,
      end: () => {
        arrived();
        for (const each of held) each.bytes -= ownBytes;
        for (const each of ofPeer) if (each.isEmpty) this.#peers.delete(each.name);
      },
    };
  }

  #heldOf({ isStranger, address, userId }: Peer): readonly Held[] {
    const { strangersOfAddress, address: ofAddress, user } = this.#limits;
    const held: Held[] = [];
    if (address !== undefined) {
      const name = `${isStranger ? "strangers" : "known"} ${address}`;
      held.push(this.#named(name, isStranger ? strangersOfAddress : ofAddress));
    }
    if (userId !== undefined) held.push(this.#named(`user ${userId}`, user));
    return held;
  }

  #named(name: string, max: TransferShare): Held {
    return this.#peers.get(name) ?? new Held(max, name);
  }
}

/** Bodies that count against one limit. */
class Held {
  count = 0;
  bytes = 0;
  /** The name of this peer. */
  readonly name: string;
  readonly #max: TransferShare;

  constructor(max: TransferShare, name = "") {
    this.#max = max;
    this.name = name;
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.bytes === 0;
  }

  get isFull(): boolean {
    return this.count >= this.#max.count;
  }

  /** True when there are too many bytes, and not of one body alone, which has `ownBytes`. */
  isTooLargeWith(ownBytes: number): boolean {
    return this.bytes > this.#max.bytes && this.bytes > ownBytes;
  }
}

export const RequestLoad = serviceKey("request-load", () => new Load());
