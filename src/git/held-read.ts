import type { Reader } from "../lib/reader-queue.ts";
import type { RepositoryPlace } from "./layout.ts";
import type { Repository } from "./repository.ts";

/** The turns of readers. */
interface Turns {
  readInTurn<R>(place: RepositoryPlace, reader: Reader, work: (repository: Repository) => Promise<R>): Promise<R>;
}

/**
 * Reads in turn (`Repositories.readInTurn`) what is taken after `work` is done, such as the pieces of an answer: nothing moves or
 * removes the repository until `onEnd` is called.
 */
export function readUntilEnd<R>(
  repositories: Turns,
  place: RepositoryPlace,
  reader: Reader,
  work: (repository: Repository, onEnd: () => void) => Promise<R>,
): Promise<R> {
  const opened = Promise.withResolvers<R>();
  const held = repositories.readInTurn(place, reader, async (repository) => {
    const ended = Promise.withResolvers<void>();
    opened.resolve(await work(repository, ended.resolve));
    await ended.promise;
  });
  held.catch(opened.reject);
  return opened.promise;
}
