import { Failure } from "../domain/failure.ts";

/** Requests that wait for the disk, for a hash or for other work; the next one is refused. */
const workingMax = 4_096;
/** Requests whose body is still on its way. */
const arrivingMax = 4_096;
/** Of all bodies that are on their way, together. */
const arrivedBytesMax = 1 << 30;
/** Who is refused may come again this soon: nobody knows better. */
const retryAfterSeconds = 1;

/** More than the server takes on: 503, so that nobody waits in a line without an end (seed 7). */
export function overloaded(): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { retryAfterSeconds });
}

/** What the process has taken on and not answered yet. Bodies count as long as they arrive, and nowhere else then. */
export class Load {
  readonly #limits: Readonly<Record<"working" | "arriving" | "arrivedBytes", number>>;
  #waiting = 0;
  #arriving = 0;
  #arrivedBytes = 0;

  constructor(limits = { working: workingMax, arriving: arrivingMax, arrivedBytes: arrivedBytesMax }) {
    this.#limits = limits;
  }

  /** Whether a request has to be refused that may wait for something. */
  get isFull(): boolean {
    return this.#waiting - this.#arriving >= this.#limits.working;
  }

  /** A request begins to wait for its answer; `leave` ends that. */
  enter(): void {
    this.#waiting += 1;
  }

  leave(): void {
    this.#waiting -= 1;
  }

  /** Counts a body until `leave` is called. Throws 503 when there are too many. */
  arrive(): Arrival {
    if (this.#arriving >= this.#limits.arriving) throw overloaded();
    this.#arriving += 1;
    let ownBytes = 0;
    return {
      take: (bytes) => {
        ownBytes += bytes;
        this.#arrivedBytes += bytes;
        if (this.#arrivedBytes > this.#limits.arrivedBytes) throw overloaded();
      },
      leave: () => {
        this.#arriving -= 1;
        this.#arrivedBytes -= ownBytes;
      },
    };
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
