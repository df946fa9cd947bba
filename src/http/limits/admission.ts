import { Failure } from "../../domain/failure.ts";
import type { Sender } from "./sender.ts";

/** Limits on the requests that the process handles at one time. */
export interface LoadLimits {
  /** Requests that wait for the disk, for a hash or for other work; the next one is refused. */
  readonly working: number;
  /** Requests whose body is still on its way. */
  readonly arriving: number;
  /** Of all bodies that are on their way, together. */
  readonly arrivedBytes: number;
  /** The part of places and bytes that strangers may take, and one address of those who are none. */
  readonly share: number;
  /** Bodies of strangers that are on their way from one address. */
  readonly strangersOfAddress: number;
}

const loadLimits: LoadLimits = {
  working: 4_096,
  arriving: 4_096,
  arrivedBytes: 1 << 30,
  share: 1 / 4,
  strangersOfAddress: 64,
};
/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 1;

/** More than the server takes on: 503, so that nobody waits in a line without an end (seed 7). */
export function overloaded(): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { retryAfterSeconds });
}

/** Requests that the process has accepted and not answered yet. Bodies count as long as they arrive, and nowhere else then. */
export class Load {
  readonly #limits: LoadLimits;
  readonly #all: Arriving;
  readonly #strangers: Arriving;
  #waiting = 0;

  constructor(limits = loadLimits) {
    const { arriving, arrivedBytes, share, strangersOfAddress } = limits;
    this.#limits = limits;
    this.#all = new Arriving(arriving, arrivedBytes, arriving * share);
    this.#strangers = new Arriving(arriving * share, arrivedBytes * share, strangersOfAddress);
  }

  /** True when the server must refuse a request that may have to wait. */
  get isFull(): boolean {
    return this.#waiting - this.#all.count >= this.#limits.working;
  }

  /** A request begins to wait for its answer; `leave` ends that. */
  enter(): void {
    this.#waiting += 1;
  }

  leave(): void {
    this.#waiting -= 1;
  }

  /** Counts a body until `leave` is called. Throws 503 when there are too many, of all or of the sender's kind. */
  arrive({ isStranger, address }: Pick<Sender, "isStranger" | "address">): Arrival {
    const counted = isStranger ? [this.#all, this.#strangers] : [this.#all];
    const own = isStranger ? this.#strangers : this.#all;
    if (counted.some((each) => each.isFull) || own.isFullFor(address)) throw overloaded();
    for (const each of counted) each.count += 1;
    own.countOf(address, 1);
    let ownBytes = 0;
    return {
      take: (bytes) => {
        ownBytes += bytes;
        for (const each of counted) each.bytes += bytes;
        if (counted.some((each) => each.isTooLarge)) throw overloaded();
      },
      leave: () => {
        own.countOf(address, -1);
        for (const each of counted) {
          each.count -= 1;
          each.bytes -= ownBytes;
        }
      },
    };
  }
}

/** Bodies on their way, of all senders or of some. */
class Arriving {
  count = 0;
  bytes = 0;
  readonly #countMax: number;
  readonly #bytesMax: number;
  readonly #ofAddressMax: number;
  readonly #ofAddress = new Map<string, number>();

  constructor(countMax: number, bytesMax: number, ofAddressMax: number) {
    this.#countMax = countMax;
    this.#bytesMax = bytesMax;
    this.#ofAddressMax = ofAddressMax;
  }

  get isFull(): boolean {
    return this.count >= this.#countMax;
  }

  get isTooLarge(): boolean {
    return this.bytes > this.#bytesMax;
  }

  isFullFor(address: string | undefined): boolean {
    return address !== undefined && (this.#ofAddress.get(address) ?? 0) >= this.#ofAddressMax;
  }

  countOf(address: string | undefined, more: number): void {
    if (address === undefined) return;
    const count = (this.#ofAddress.get(address) ?? 0) + more;
    if (count === 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, count);
  }
}

/** One body on its way. */
export interface Arrival {
  /** Counts so many bytes more of it. Throws 503 when all bodies together are too large. */
  take(bytes: number): void;
  leave(): void;
}

/** Memory is the process's: there is one for all servers in it. */
export const load = new Load();
