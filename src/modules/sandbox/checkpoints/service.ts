import { notFound } from "../../../domain/failure.ts";
import type { Checkpoint } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";

/** The state after the first start. No checkpoint of a caller can have this name. */
const firstState = "first start";
/** The state before a fixture that is being applied; nor this one. */
const beforeFixture = "before fixture";

/** Makes the state to which a reset goes back, unless an earlier start has made it. */
export function ensureFirstState(context: Context): void {
  if (context.store.history.find(firstState) === undefined) insertCheckpoint(context, firstState);
}

export function hasFirstState({ store }: Context): boolean {
  return store.history.find(firstState) !== undefined;
}

/**
 * Does the work, and puts everything back if it throws. Nothing else may run meanwhile. A process that ends in the midst
 * of it leaves that to its next start.
 */
export async function undoneIfRefused<R>(context: Context, work: () => Promise<R>): Promise<R> {
  insertCheckpoint(context, beforeFixture);
  try {
    return await work();
  } catch (error) {
    await restoreState(context, beforeFixture);
    throw error;
  } finally {
    context.store.history.remove(beforeFixture);
    await dropRepositoryStates(context);
  }
}

/** Ends what a process that was killed had begun: a restore, and a fixture, which is undone. */
export async function endInterrupted(context: Context): Promise<void> {
  const { store } = context;
  const restoring = store.history.list().find(({ is_restoring }) => is_restoring);
  if (restoring !== undefined) await restoreRepositories(context, restoring);
  if (store.history.isKept) await dropRepositoryStates(context);
  if (context.store.history.find(beforeFixture) === undefined) return;
  await restoreState(context, beforeFixture);
  context.store.history.remove(beforeFixture);
  await dropRepositoryStates(context);
}

/** Oldest first. */
export function listCheckpoints({ store }: Context): Checkpoint[] {
  return store.history.list().filter(({ name }) => name !== firstState && name !== beforeFixture);
}

/** Throws 404. */
export function getCheckpoint({ store }: Context, name: string): Checkpoint {
  const found = store.history.find(name);
  if (found === undefined) throw notFound("Checkpoint");
  return found;
}

/** Makes a checkpoint, in the place of an older one of the name, when no request and no job is under way. */
export function createCheckpoint(context: Context, name: string): Promise<Checkpoint> {
  return alone(context, async () => {
    const created = insertCheckpoint(context, name);
    await dropRepositoryStates(context);
    return created;
  });
}

/** Throws 404. */
export function deleteCheckpoint(context: Context, name: string): Promise<void> {
  return alone(context, async () => {
    getCheckpoint(context, name);
    context.store.history.remove(name);
    await dropRepositoryStates(context);
  });
}

/** Puts everything back to a checkpoint when no request and no job is under way. Later checkpoints go. Throws 404. */
export function restoreCheckpoint(context: Context, name: string): Promise<void> {
  return alone(context, () => restoreState(context, name));
}

/** Puts everything back to the state after the first start. */
export function resetSandbox(context: Context): Promise<void> {
  return restoreCheckpoint(context, firstState);
}

async function restoreState(context: Context, name: string): Promise<void> {
  const checkpoint = getCheckpoint(context, name);
  const { store, sandbox } = context;
  if (sandbox?.random !== undefined && checkpoint.random_state !== null) sandbox.random.state = checkpoint.random_state;
  store.history.restore(name);
  await restoreRepositories(context, checkpoint);
}

/** Only once the documents are back for good: the states of the repositories are used up by it. */
async function restoreRepositories({ store, repositories }: Context, { id, name }: Checkpoint): Promise<void> {
  await store.settled();
  await repositories.restore(id);
  store.history.endRestore(name);
}

function insertCheckpoint({ store, clock, sandbox }: Context, name: string): Checkpoint {
  return store.history.create(name, clock.now(), sandbox?.random?.state);
}

/** States of repositories follow their checkpoints: a checkpoint that is gone hands its states on to the one before. */
async function dropRepositoryStates({ store, repositories }: Context): Promise<void> {
  await store.settled();
  await repositories.dropOtherCheckpoints(store.history.list().map(({ id }) => id));
}

function alone<R>({ sandbox }: Context, work: () => Promise<R>): Promise<R> {
  if (sandbox === undefined) throw new Error("the server is no sandbox");
  return sandbox.gate.alone(work);
}
