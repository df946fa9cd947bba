/** The one order in which a ref is switched and documents come to say so. */

import { withoutBudget, withoutLimit } from "../../../domain/work-budget.ts";
import type { RepositoryWriter } from "../../../git/index.ts";
import type { Transaction } from "../../../store/index.ts";
import { Quotas, type StorageOwner } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";

/** A ref that is about to name what a writer has written. */
export interface RefSwitch<P, R> {
  /** The owner of the storage that grows. */
  readonly owner: StorageOwner;
  /** `refs/heads/main`. */
  readonly ref: string;
  readonly oid: string;
  /** The branch that clones begin with from now on. */
  readonly asHead?: string | undefined;
  /** Reads what `record` needs from the disk, where no ref names the new objects yet. May refuse the change. */
  prepare(): Promise<P>;
  /** Notes the change and the bytes that the repository has grown by. */
  record(tx: Transaction, bytes: number, prepared: P): R;
  /** Notes the bytes where the change is refused after they were written. Left out: they go with the repository. */
  grow?(tx: Transaction, bytes: number): void;
}

/**
 * Asks for room, prepares, switches the ref, and records that in a transaction. Preparing and recording do not count for the
 * work of the request: it is nearly done. If the transaction fails all the same, the ref is put back. Throws 507.
 */
export async function switchRef<P, R>(context: Context, writer: RepositoryWriter, wanted: RefSwitch<P, R>): Promise<R> {
  const change = await prepareSwitch(context, writer, wanted);
  return change();
}

/** The first part of `switchRef`. Returns the second one, which switches the ref. */
export async function prepareSwitch<P, R>(
  context: Context,
  writer: RepositoryWriter,
  wanted: RefSwitch<P, R>,
): Promise<() => Promise<R>> {
  context.get(Quotas).requireRoom(wanted.owner, writer.draftBytes);
  const bytes = await writer.save();
  const growing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // The objects stay, and a caller could repeat what is refused.
      if (bytes > 0) withoutBudget(() => context.store.transact((tx) => wanted.grow?.(tx, bytes)));
      throw error;
    }
  };
  const prepared = await growing(() => withoutLimit(() => wanted.prepare()));
  return () => growing(() => switchTo(context, writer, wanted, bytes, prepared));
}

async function switchTo<P, R>(
  context: Context,
  writer: RepositoryWriter,
  { ref, oid, asHead, record }: RefSwitch<P, R>,
  bytes: number,
  prepared: P,
): Promise<R> {
  const before = await writer.at(ref);
  await writer.update(ref, oid, asHead);
  try {
    return withoutLimit(() => context.store.transact((tx) => record(tx, bytes, prepared)));
  } catch (error) {
    await putBack(writer, ref, before, error);
    throw error;
  }
}

async function putBack(
  writer: RepositoryWriter,
  ref: string,
  before: string | undefined,
  cause: unknown,
): Promise<void> {
  try {
    await writer.restore(ref, before);
  } catch (error) {
    throw new AggregateError([cause, error], `${writer.folder}: ${ref} names what no document knows`);
  }
}
