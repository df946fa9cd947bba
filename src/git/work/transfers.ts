import type { Reader } from "../../lib/reader-queue.ts";
import type { RepositoryPlace, RepositoryRef } from "../layout.ts";
import { Quarantine } from "../quarantine.ts";
import type { Repository } from "../repository.ts";
import type { RepositoryWriter } from "../writer.ts";
import type { StreamOrder } from "./messages.ts";
import { PackThreads } from "./pool.ts";
import type { Received, ReceiveOrder } from "./receive.ts";

/** An order for a repository that is only read. */
export type ReadOrder = StreamOrder extends infer O ? (O extends StreamOrder ? Omit<O, "folder"> : never) : never;

/** What the transfers use of `Repositories`. */
export interface ReadRepositories {
  read<R>(place: RepositoryPlace, work: (repository: Repository) => Promise<R>): Promise<R>;
  readInTurn<R>(place: RepositoryPlace, reader: Reader, work: (repository: Repository) => Promise<R>): Promise<R>;
  write(
    ref: RepositoryRef,
    locate: () => RepositoryPlace,
    work: (repository: RepositoryWriter) => Promise<void>,
  ): Promise<void>;
  removeReplaced(ref: RepositoryRef, locate: () => RepositoryPlace, paths: readonly string[]): Promise<void>;
  storageFolderOf(place: RepositoryPlace): string;
}

/** What git clients fetch and push, as the threads make and check it. */
export class Transfers {
  readonly #repositories: ReadRepositories;
  readonly #threads: PackThreads;

  constructor(repositories: ReadRepositories, program: URL) {
    this.#repositories = repositories;
    this.#threads = new PackThreads(program);
  }

  /** The answer to a client that fetches, or asks for refs, in pieces. Nothing moves or removes the repository meanwhile. */
  stream(
    place: RepositoryPlace,
    reader: Reader,
    order: ReadOrder,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const opened = Promise.withResolvers<ReadableStream<Uint8Array<ArrayBuffer>>>();
    const work = this.#repositories.readInTurn(place, reader, async ({ folder }) => {
      const ended = Promise.withResolvers<void>();
      opened.resolve(await this.#threads.stream({ ...order, folder }, signal, ended.resolve));
      await ended.promise;
    });
    work.catch(opened.reject);
    return opened.promise;
  }

  /** Makes an empty quarantine on the storage of a repository. */
  quarantine(place: RepositoryPlace): Promise<Quarantine> {
    return Quarantine.create(this.#repositories.storageFolderOf(place));
  }

  /** Indexes and checks a received pack beside the objects of the repository. */
  receive(place: RepositoryPlace, order: Omit<ReceiveOrder, "folder">, signal: AbortSignal): Promise<Received> {
    return this.#repositories.read(place, ({ folder }) => this.#threads.receive({ ...order, folder }, signal));
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
      await this.#repositories.write(ref, locate, (writer) => writer.installPack(pack, joined));
    }
    await this.#repositories.removeReplaced(ref, locate, found.replaced);
  }
}
