import { type Config, hasTls } from "../config/config.ts";
import { Matcher } from "../http/entry/matcher.ts";
import { createRequestHandler, type HttpEntry } from "../http/entry/request-handler.ts";
import { StartupHandler } from "../http/entry/startup-handler.ts";
import type { Log } from "../lib/log.ts";
import type { LoopActivity } from "../lib/loop-activity.ts";
import { systemRandomness } from "../lib/randomness.ts";
import { type FirstStart, getInitialAdmin } from "../modules/accounts/initial-setup/index.ts";
import { RequestedBackup, scheduledBackups } from "../modules/admin/backups/index.ts";
import { LiveFeed } from "../modules/admin/console/index.ts";
import { demoRunner, RunnerQueue } from "../modules/ci/runner-api/index.ts";
import { updateRecaptchaKeys } from "../modules/core/application-settings/index.ts";
import type { MailSender } from "../modules/core/outbox/index.ts";
import type { Context, FixtureResult } from "../modules/kernel/context.ts";
import type { AssembledModules } from "../modules/kernel/module.ts";
import { canStillRead } from "../modules/notifications/issue-mails/index.ts";
import { endInterrupted, ensureFirstState, hasFirstState } from "../modules/sandbox/checkpoints/index.ts";
import { followStoredClock } from "../modules/sandbox/clock/index.ts";
import { Exchanges } from "../modules/sandbox/requests/index.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import { noteAddress, toStartError } from "../store/index.ts";
import {
  createServerContext,
  credentialsFileOf,
  type ServerContext,
  type ServerOverrides,
  startFirstTime,
} from "./bootstrap.ts";
import type { HarRecorder } from "./har-recorder.ts";
import { openListener } from "./listeners/listen.ts";
import { type Authority, calledAt, type Fetch, type Listener } from "./listeners/listener.ts";

/** A server that is listening. */
export interface App {
  /** The origin of the `Listener`. */
  readonly origin: string;
  /** The authority that clients have to trust, if the server made its certificate itself. */
  readonly authority: Authority | undefined;
  /** Absolute path of the credentials file; undefined unless this was the first start. */
  readonly credentialsFile: string | undefined;
  /** Whether the store was made by a sandbox. */
  readonly isMadeForTests: boolean;
  /** Says what a fixture made at this start; undefined: nothing. */
  readonly fixture: FixtureResult | undefined;
  /** The current work of the event loop; at rest once the server begins to stop. */
  readonly activity: LoopActivity;
  /** Lets tests see what no operation shows. */
  readonly context: Context;
  readonly scheduler: Scheduler;
  /** Requests in flight are finished, everything is on disk, the lock is free. A second call waits for the first. */
  stop(): Promise<void>;
}

/** Requests and jobs under way when a stop is asked for get this long; then they are cut off. */
const stopGraceMs = 2_500;

/**
 * Listens, opens the store, builds the modules: until all of it is done, requests are answered that the server is
 * starting. Throws `StartError` for errors that a person can fix.
 */
export async function startApp(config: Config, log: Log, seams: ServerOverrides = {}): Promise<App> {
  const handlerSlot: HandlerSlot = {
    fetch: new StartupHandler(seams.randomness ?? systemRandomness, config.sandbox).fetch,
  };
  let listener: Listener | undefined;
  try {
    const serverContext = await createServerContext(config, log, seams, async () => {
      listener = await openListener(config, (request, server) => handlerSlot.fetch(request, server), log);
      noteAddress(config.dataFolder, calledAt(listener.origin));
    });
    if (listener === undefined) throw new Error("the store was opened without a lock");
    return await startServing(config, serverContext, listener, handlerSlot, seams);
  } catch (error) {
    listener?.cutOff();
    throw error;
  }
}

/** The current handler of requests. */
interface HandlerSlot {
  fetch: Fetch;
}

async function startServing(
  config: Config,
  { context, modules, metrics, mailSender }: ServerContext,
  listener: Listener,
  handlerSlot: HandlerSlot,
  seams: ServerOverrides,
): Promise<App> {
  const { store, log } = context;
  try {
    await endInterrupted(context);
    const firstStart = startFirstTime(context, config);
    const fixture = await makeFixture(context, modules, config, firstStart);
    updateRecaptchaKeys(context, config.recaptchaSiteKey, config.recaptchaPrivateKey);
    await store.settled();
    const recorder = await startRecording(context, config);
    const front = createRequestHandler({
      context,
      matcher: new Matcher(hasTls(config)),
      operations: modules.operations,
      metrics,
      isSecure: hasTls(config),
      ...config,
    });
    const scheduler = new Scheduler(context, {
      jobKinds: modules.jobKinds,
      periodicWork: [
        ...modules.periodicWork,
        ...scheduledBackups(context.backups),
        ...(config.demoRunner ? [demoRunner] : []),
      ],
      ...seams.work,
    });
    if (context.sandbox !== undefined) context.sandbox.work = scheduler;
    followStoredClock(context);
    handlerSlot.fetch = (request, server) => front.fetch(request, server);
    store.startBackgroundWork();
    mailSender?.start((reader) => canStillRead(context, reader));
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
        stopping ??= stop(listener, front, passwordSet, scheduler, context, mailSender, recorder);
        return stopping;
      },
    };
  } catch (error) {
    await store.close();
    throw toStartError(config.dataFolder, error);
  }
}

/** Loads what writes recordings only for one. */
async function startRecording(context: Context, { record }: Config): Promise<HarRecorder | undefined> {
  if (context.sandbox === undefined || record === undefined) return undefined;
  const { HarRecorder } = await import("./har-recorder.ts");
  const recorder = await HarRecorder.open(record, context.log);
  context.get(Exchanges).follow((exchange) => recorder.add(exchange));
  return recorder;
}

/** Loads what reads fixtures only for one: a start without any does not pay for it. */
async function makeFixture(
  context: Context,
  { operations }: AssembledModules,
  config: Config,
  firstStart: FirstStart | undefined,
): Promise<FixtureResult | undefined> {
  if (context.sandbox === undefined || config.fixture === undefined || hasFirstState(context)) return undefined;
  const { applyFirstFixture } = await import("../fixtures/index.ts");
  return applyFirstFixture(context, operations, config.fixture, async () => {
    await firstStart?.setRootPassword();
    return { user: getInitialAdmin(context), token: undefined, ipAddress: null };
  });
}

/** A sandbox holds requests back until then: the password is part of the state to which a reset goes back. */
function setRootPassword(context: Context, firstStart: FirstStart | undefined): Promise<void> {
  const { sandbox } = context;
  const set = () => firstStart?.setRootPassword() ?? Promise.resolve();
  if (sandbox === undefined) return set();
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
  mailSender: MailSender | undefined,
  recorder: HarRecorder | undefined,
): Promise<void> {
  // Clients that wait for jobs or events go home first.
  context.get(RunnerQueue).close();
  context.get(LiveFeed).close();
  const finished = listener.stop();
  front.drain();
  // A client that sends a request slowly must not keep the server from ending.
  const cutOff = setTimeout(() => listener.cutOff(), stopGraceMs);
  await Promise.allSettled([finished, passwordSet, scheduler.stop(stopGraceMs), context.get(RequestedBackup).stop()]);
  clearTimeout(cutOff);
  await mailSender?.stop();
  await recorder?.close();
  await context.store.close();
}
