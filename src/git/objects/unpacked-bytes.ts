import { AsyncLocalStorage } from "node:async_hooks";
import { Semaphore, type SemaphoreInterface } from "async-mutex";

/** Bytes of unpacked files that all requests together have in memory; a request with more waits until it is the only one. */
const bytesMax = 32 << 20;
/** Files up to this size are not counted, so they never wait. */
const uncountedBytes = 256 << 10;

/** Resolves when there is room for files of so many bytes. */
export type TakeRoom = (bytes: number) => Promise<void>;

/** Work that unpacks files. */
interface Work {
  readonly takeRoom: TakeRoom;
  /** True from its end on; a job that it has set off may go on after that. */
  isOver: boolean;
}

/** The room in memory for unpacked files: a file of kilobytes on the disk may have megabytes. */
export class UnpackedBytes {
  readonly #room = new Semaphore(bytesMax);
  readonly #current = new AsyncLocalStorage<Work>();

  /**
   * Runs `work`, which waits for room before it unpacks files, and gives the room back at its end. Work inside of other work
   * shares the room of that: it would wait for what the outer one does not give back.
   */
  async hold<R>(work: (takeRoom: TakeRoom) => Promise<R>): Promise<R> {
    const outer = this.#current.getStore();
    if (outer?.isOver === false) return work(outer.takeRoom);
    let taken: ReturnType<SemaphoreInterface["acquire"]> | undefined;
    const takeRoom = async (bytes: number) => {
      if (bytes <= uncountedBytes) return;
      // Only the first files wait: two works that have room and want more would wait for each other.
      taken ??= this.#room.acquire(Math.min(bytes, bytesMax));
      await taken;
    };
    try {
      return await this.#within(takeRoom, () => work(takeRoom));
    } finally {
      if (taken !== undefined) (await taken)[1]();
    }
  }

  /** Runs work that unpacks files without waiting for room. The caller sees to it that there is little of it at a time. */
  withoutWaiting<R>(work: () => Promise<R>): Promise<R> {
    return this.#within(async () => {}, work);
  }

  async #within<R>(takeRoom: TakeRoom, work: () => Promise<R>): Promise<R> {
    const current = { takeRoom, isOver: false };
    try {
      return await this.#current.run(current, work);
    } finally {
      current.isOver = true;
    }
  }
}
