import { statfs } from "node:fs/promises";
import { unavailable } from "../../domain/failure.ts";
import { type Reader, type ReaderLimits, ReaderQueue } from "../../lib/reader-queue.ts";
import type { RepositoryPlace, RepositoryRef } from "../layout.ts";
import { defaultPackLimits, type PackLimits } from "../packing/limits.ts";
import { Quarantine } from "../quarantine.ts";
import type { Repository } from "../repository.ts";
import type { RepositoryWriter } from "../writer.ts";
import type { StreamOrder } from "./messages.ts";
import { ownerOf } from "./owner.ts";
import { PackThreads } from "./pool.ts";
import type { Received, ReceiveOrder } from "./receive.ts";
import { openSpool } from "./spool.ts";

/** Clients that fetch or push at a time. Slow ones have a place of their own, and no thread. */
const transferLimits: ReaderLimits = {
  running: 128,
  runningStrangers: 32,
  runningOfName: 16,
  open: 2_048,
  openStrangers: 512,
  openOfName: 128,
  waitMsMax: 30_000,
};
/** Bytes of a disk that pushes leave for others. */
const freeBytesMin = 256 << 20;

/** An order for a repository that is only read. */
export type ReadOrder = StreamOrder extends infer O ? (O extends StreamOrder ? Omit<O, "folder"> : never) : never;

/** The part of `Repositories` that transfers use. */
export interface ReadRepositories {
  read<R>(place: RepositoryPlace, work: (repository: Repository) => Promise<R>): Promise<R>;
  write(
    ref: RepositoryRef,
    locate: () => RepositoryPlace,
    work: (repository: RepositoryWriter) => Promise<void>,
  ): Promise<void>;
  removeReplaced(ref: RepositoryRef, locate: () => RepositoryPlace, paths: readonly string[]): Promise<void>;
  storageFolderOf(place: RepositoryPlace): string;
}

/** Fetches and pushes of git clients: the threads make and check their packs. */
export class Transfers {
  readonly #repositories: ReadRepositories;
  readonly #threads: PackThreads;
  readonly #turns = new ReaderQueue(transferLimits, unavailable);
  readonly #limits: PackLimits;

  constructor(repositories: ReadRepositories, program: URL, limits: PackLimits = defaultPackLimits) {
    this.#repositories = repositories;
    this.#limits = limits;
    this.#threads = new PackThreads(program);
  }

  /**
   * The answer to a client that fetches, or asks for refs, in pieces. Nothing moves or removes the repository meanwhile. `onTold` is
   * called with an error of which the answer tells the client.
   */
  stream(
    place: RepositoryPlace,
    reader: Reader,
    order: ReadOrder,
    signal: AbortSignal,
    onTold: (error: Error) => void,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const opened = Promise.withResolvers<ReadableStream<Uint8Array<ArrayBuffer>>>();
    const work = this.#turns.run(reader, async () => {
      const delivered = Promise.withResolvers<void>();
      await this.#repositories.read(place, async ({ folder }) => {
        const ended = Promise.withResolvers<void>();
        const delivery = {
          ...{
            owner: ownerOf(reader),
            signal,
            openSpool: () => openSpool(this.#repositories.storageFolderOf(place)),
            onTold,
          },
          ...{ onEnd: ended.resolve, onDelivered: delivered.resolve },
        };
        opened.resolve(await this.#threads.stream({ ...order, folder }, delivery));
        await ended.promise;
      });
      await delivered.promise;
    });
    work.catch(opened.reject);
    return opened.promise;
  }

  /** Whether the storage of a repository has room for a push. */
  async hasRoom(place: RepositoryPlace): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#repositories.storageFolderOf(place));
    return bavail * bsize >= freeBytesMin;
  }

  /** Makes an empty quarantine on the storage of a repository. */
  quarantine(place: RepositoryPlace): Promise<Quarantine> {
    return Quarantine.create(this.#repositories.storageFolderOf(place));
  }

  /** Indexes and checks a received pack beside the objects of the repository. */
  receive(
    place: RepositoryPlace,
    reader: Reader,
    order: Omit<ReceiveOrder, "folder" | "limits">,
    signal: AbortSignal,
  ): Promise<Received> {
    const limits = this.#limits;
    return this.#turns.run(reader, () =>
      this.#repositories.read(place, ({ folder }) =>
        this.#threads.receive({ ...order, folder, limits }, ownerOf(reader), signal),
      ),
    );
  }

  /**
   * Joins the small packs and the loose objects of a repository, beside its readers and writers. Killed at any instant, it leaves
   * every object in at least one place.
   */
  async repack(ref: RepositoryRef, locate: () => RepositoryPlace, signal: AbortSignal): Promise<void> {
    const place = locate();
    await using quarantine = await this.quarantine(place);
    const { pack } = quarantine;
    const found = await this.#repositories.read(place, ({ folder }) => this.#threads.repack({ folder, pack }, signal));
    const { pack: joined } = found;
    if (joined !== undefined) {
      await this.#repositories.write(ref, locate, async (writer) => {
        await writer.installPack(pack, joined);
      });
    }
    await this.#repositories.removeReplaced(ref, locate, found.replaced);
  }
}
