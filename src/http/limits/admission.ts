import { Failure } from "../../domain/failure.ts";
import type { Sender } from "./sender.ts";

/** Limits on the bodies that are on their way in one direction at one time. */
export interface TransferLimits {
  readonly count: number;
  /** Of all of them together. */
  readonly bytes: number;
  /** The part of `count` and `bytes` that strangers may take, and the part of `count` for one address of those who are known. */
  readonly share: number;
  /** Bodies of strangers to or from one address. */
  readonly strangersOfAddress: number;
  /** Bytes to or from one address. */
  readonly bytesOfAddress: number;
}

/** Limits on the requests that the process handles at one time. */
export interface LoadLimits {
  /** Requests that wait for the disk, for a hash or for other work; the next one is refused. */
  readonly working: number;
  /** Bodies of requests that arrive. */
  readonly requests: TransferLimits;
  /** Large bodies of answers that are sent. */
  readonly answers: TransferLimits;
}

const requestLimits: TransferLimits = {
  count: 4_096,
  bytes: 1 << 30,
  share: 1 / 4,
  strangersOfAddress: 64,
  bytesOfAddress: 1 << 30,
};
const loadLimits: LoadLimits = {
  working: 4_096,
  requests: requestLimits,
  answers: { ...requestLimits, bytesOfAddress: 1 << 28 },
};
/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 1;

/** More than the server takes on: 503, so that nobody waits in a queue without an end. */
export function overloaded(): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { retryAfterSeconds });
}

/**
 * Requests that the process has accepted and not answered yet. Bodies count as long as they arrive, and nowhere else then;
 * their bytes count as long as a handler may have them.
 */
export class Load {
  readonly requests: Transfers;
  readonly answers: Transfers;
  readonly #workingMax: number;
  #waiting = 0;

  constructor({ working, requests, answers } = loadLimits) {
    this.#workingMax = working;
    this.requests = new Transfers(requests);
    this.answers = new Transfers(answers);
  }

  /** True when the server must refuse a request that may have to wait. */
  get isFull(): boolean {
    return this.#waiting - this.requests.count >= this.#workingMax;
  }

  /** A request begins to wait for its answer; `leave` ends that. */
  enter(): void {
    this.#waiting += 1;
  }

  leave(): void {
    this.#waiting -= 1;
  }
}

/** The client at the other end of a transfer. */
export type Peer = Pick<Sender, "isStranger" | "address">;

/** One body on its way. */
export interface Transfer {
  /** Counts so many bytes more of it. Throws 503 when there are too many, unless this body may not be refused. */
  add(bytes: number): void;
  /** All of it came: it is no longer on its way, but its bytes count until `end`. */
  arrived(): void;
  end(): void;
}

/** Bodies on their way in one direction. */
export class Transfers {
  readonly #all: Held;
  readonly #strangers: Held;
  readonly #known = new Map<string, Held>();
  readonly #strange = new Map<string, Held>();
  readonly #limits: TransferLimits;

  constructor(limits: TransferLimits) {
    const { count, bytes, share } = limits;
    this.#limits = limits;
    this.#all = new Held(count, bytes);
    this.#strangers = new Held(count * share, bytes * share);
  }

  get count(): number {
    return this.#all.count;
  }

  /**
   * Counts a body until `end` is called. Throws 503 when there are too many, of all, of the peer's kind or of its address;
   * `mayRefuse: false` counts it all the same.
   */
  begin({ isStranger, address }: Peer, mayRefuse = true): Transfer {
    const byAddress = isStranger ? this.#strange : this.#known;
    const held = isStranger ? [this.#all, this.#strangers] : [this.#all];
    if (address !== undefined) held.push(this.#ofAddress(byAddress, address, isStranger));
    if (mayRefuse && held.some((each) => each.isFull)) throw overloaded();
    for (const each of held) each.count += 1;
    if (address !== undefined) byAddress.set(address, held.at(-1) as Held);
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
        if (mayRefuse && held.some((each) => each.isTooLarge)) throw overloaded();
      },
      arrived,
      end: () => {
        arrived();
        for (const each of held) each.bytes -= ownBytes;
        if (address !== undefined && held.at(-1)?.isEmpty) byAddress.delete(address);
      },
    };
  }

  #ofAddress(byAddress: ReadonlyMap<string, Held>, address: string, isStranger: boolean): Held {
    const { count, share, strangersOfAddress, bytesOfAddress } = this.#limits;
    return byAddress.get(address) ?? new Held(isStranger ? strangersOfAddress : count * share, bytesOfAddress);
  }
}

/** Bodies that count against one limit. */
class Held {
  count = 0;
  bytes = 0;
  readonly #countMax: number;
  readonly #bytesMax: number;

  constructor(countMax: number, bytesMax: number) {
    this.#countMax = countMax;
    this.#bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.bytes === 0;
  }

  get isFull(): boolean {
    return this.count >= this.#countMax;
  }

  get isTooLarge(): boolean {
    return this.bytes > this.#bytesMax;
  }
}

/** Memory is the process's: there is one for all servers in it. */
export const load = new Load();
