import { type Config, hasTls } from "../config/config.ts";
import type { Matcher } from "../http/entry/matcher.ts";
import { createRequestHandler, type HttpEntry } from "../http/entry/request-handler.ts";
import type { Log } from "../lib/log.ts";
import { type FirstStart, getInitialAdmin } from "../modules/accounts/initial-setup/index.ts";
import type { Context, FixtureResult } from "../modules/kernel/context.ts";
import type { AssembledModules } from "../modules/kernel/module.ts";
import { endInterrupted, ensureFirstState, hasFirstState } from "../modules/sandbox/checkpoints/index.ts";
import { followStoredClock } from "../modules/sandbox/clock/index.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import { type FolderLock, toStartError } from "../store/index.ts";
import type { App, HandlerSlot } from "./app.ts";
import { createServerContext, credentialsFileOf, type ServerOverrides, startFirstTime } from "./bootstrap.ts";
import type { ConnectionGuard } from "./listeners/connection-guard.ts";
import type { Listener } from "./listeners/listener.ts";

/** The time that current requests and jobs get at a stop. Then they are aborted. */
const stopGraceMs = 2_500;

/** Work that blocks a core or the event loop, such as hashing and building indexes, begins after the first requests. */
const workDelayMs = 25;

/** The parts of a server that start before its modules are loaded. */
interface Listening {
  /** The lock of the data folder, which the store releases when it is closed. */
  readonly lock: FolderLock;
  readonly listener: Listener;
  readonly guard: ConnectionGuard | undefined;
  readonly handlerSlot: HandlerSlot;
  readonly matcher: Matcher;
}

/** Opens the store and begins to answer requests. Throws `StartError` for errors that the user can fix. */
export async function startServing(
  config: Config,
  log: Log,
  overrides: ServerOverrides,
  { lock, listener, guard, handlerSlot, matcher }: Listening,
): Promise<App> {
  const { context, modules, metrics } = await createServerContext(
    config,
    log,
    { ...overrides, origin: listener.origin },
    lock,
  );
  const { store } = context;
  try {
    await endInterrupted(context);
    const firstStart = startFirstTime(context, config);
    const fixture = await makeFixture(context, modules, config, firstStart);
    followStoredClock(context);
    await modules.start(context);
    await store.settled();
    const front = createRequestHandler({
      context,
      matcher,
      operations: modules.operations,
      metrics,
      isSecure: hasTls(config),
      ...config,
    });
    const scheduler = new Scheduler(context, {
      jobKinds: modules.jobKinds,
      periodicWork: modules.periodicWork,
      ...overrides.work,
    });
    if (context.sandbox !== undefined) context.sandbox.work = scheduler;
    handlerSlot.fetch = (request, server) => front.fetch(request, server);
    store.startBackgroundWork(workDelayMs);
    scheduler.start();
    metrics.start(() => listener.pendingRequests, context);
    const passwordSet = setRootPassword(context, fixture === undefined ? firstStart : undefined);
    passwordSet.catch((error: unknown) => log.error({ error: String(error) }, "the root password could not be stored"));
    let stopping: Promise<void> | undefined;
    return {
      origin: listener.origin,
      authority: listener.authority,
      credentialsFile: firstStart?.isCredentialsFileWritten === true ? credentialsFileOf(config) : undefined,
      isMadeForTests: store.manifest.sandbox === true,
      fixture,
      activity: context.activity,
      context,
      scheduler,
      stop() {
        metrics.stop();
        guard?.stop();
        stopping ??= stop(listener, front, passwordSet, scheduler, context, modules);
        return stopping;
      },
    };
  } catch (error) {
    // The first error says more than a failed stop.
    await Promise.allSettled([modules.stop(context, Promise.resolve())]);
    await store.close();
    throw toStartError(config.dataFolder, error);
  }
}

/** Loads the code for fixtures only if there is one. */
async function makeFixture(
  context: Context,
  { operations }: AssembledModules,
  config: Config,
  firstStart: FirstStart | undefined,
): Promise<FixtureResult | undefined> {
  if (context.sandbox === undefined || config.fixture === undefined || hasFirstState(context)) return undefined;
  const { applyFirstFixture } = await import("../fixtures/index.ts");
  return applyFirstFixture(context, await operations.loadAll(), config.fixture, async () => {
    await firstStart?.setRootPassword();
    return { user: getInitialAdmin(context), token: undefined, ipAddress: null };
  });
}

/** Sets root's password. A sandbox answers no requests until then, since a reset must restore the password. */
function setRootPassword(context: Context, firstStart: FirstStart | undefined): Promise<void> {
  const { sandbox } = context;
  if (firstStart === undefined && sandbox === undefined) return Promise.resolve();
  const set = () => firstStart?.setRootPassword() ?? Promise.resolve();
  if (sandbox === undefined) return Bun.sleep(workDelayMs).then(set);
  const setAlone = async () => {
    await set();
    ensureFirstState(context);
  };
  return sandbox.gate.run(() => sandbox.gate.alone(setAlone));
}

async function stop(
  listener: Listener,
  front: HttpEntry,
  passwordSet: Promise<void>,
  scheduler: Scheduler,
  context: Context,
  modules: AssembledModules,
): Promise<void> {
  const drained = Promise.withResolvers<void>();
  // Ends long polls and event streams first.
  const ended = modules.stop(context, drained.promise);
  const finished = listener.stop();
  front.drain();
  // A client that sends a request slowly must not delay the stop.
  const cutOff = setTimeout(() => listener.cutOff(), stopGraceMs);
  await Promise.allSettled([finished, passwordSet, scheduler.stop(stopGraceMs)]);
  clearTimeout(cutOff);
  drained.resolve();
  try {
    await ended;
  } finally {
    await context.store.close();
  }
}
