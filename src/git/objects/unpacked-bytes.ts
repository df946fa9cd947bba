import { Semaphore, type SemaphoreInterface } from "async-mutex";

/** Bytes of unpacked files that all requests together have in memory; a request with more waits until it is the only one. */
const bytesMax = 32 << 20;
/** Files up to this size are not counted, so they never wait. */
const uncountedBytes = 256 << 10;

/** Resolves when there is room for files of so many bytes. */
export type TakeRoom = (bytes: number) => Promise<void>;

/** The room in memory for unpacked files: a file of kilobytes on the disk may have megabytes. */
export class UnpackedBytes {
  readonly #room = new Semaphore(bytesMax);

  /** Runs `work`, which waits for room before it unpacks files, and gives the room back at its end. */
  async hold<R>(work: (takeRoom: TakeRoom) => Promise<R>): Promise<R> {
    let taken: ReturnType<SemaphoreInterface["acquire"]> | undefined;
    const takeRoom = async (bytes: number) => {
      if (bytes <= uncountedBytes) return;
      // Only the first files wait: two works that have room and want more would wait for each other.
      taken ??= this.#room.acquire(Math.min(bytes, bytesMax));
      await taken;
    };
    try {
      return await work(takeRoom);
    } finally {
      if (taken !== undefined) (await taken)[1]();
    }
  }
}
