import { type Config, hasTls } from "../config/config.ts";
import { Matcher } from "../http/entry/matcher.ts";
import { StartupHandler } from "../http/entry/startup-handler.ts";
import type { Log } from "../lib/log.ts";
import type { LoopActivity } from "../lib/loop-activity.ts";
import { systemRandomness } from "../lib/randomness.ts";
import type { Context, FixtureResult } from "../modules/kernel/context.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { lockFolder, noteAddress, prepareFolder } from "../store/index.ts";
import type { ServerOverrides } from "./bootstrap.ts";
import { diskOf } from "./disk.ts";
import { ConnectionGuard } from "./listeners/connection-guard.ts";
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

/** The current handler of requests. */
export interface HandlerSlot {
  fetch: Fetch;
}

/**
 * Locks the data folder, listens, loads the modules, opens the store: until all of it is done, requests are answered that the
 * server is starting. Throws `StartError` for errors that a person can fix.
 */
export async function startApp(config: Config, log: Log, seams: ServerOverrides = {}): Promise<App> {
  const handlerSlot: HandlerSlot = {
    fetch: new StartupHandler(seams.randomness ?? systemRandomness, config.sandbox).fetch,
  };
  const lock = prepareFolder(diskOf(config, seams), config.dataFolder, lockFolder);
  let listener: Listener | undefined;
  let guard: ConnectionGuard | undefined;
  try {
    listener = await openListener(config, (request, server) => handlerSlot.fetch(request, server), log);
    guard = ConnectionGuard.start(listener.port, config, log);
    noteAddress(config.dataFolder, calledAt(listener.origin));
    const matcher = new Matcher(hasTls(config));
    // The runtime collects garbage when it begins to listen, and Elysia does: both are quick before the modules are in memory.
    const { startServing } = await import("./serving.ts");
    return await startServing(config, log, seams, { lock, listener, guard, handlerSlot, matcher });
  } catch (error) {
    guard?.stop();
    listener?.cutOff();
    lock.release();
    throw error;
  }
}
