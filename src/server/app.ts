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
  /** The origin of the listener. */
  readonly origin: string;
  /** The authority that clients must trust, if the server made its own certificate. */
  readonly authority: Authority | undefined;
  /** The absolute path of the credentials file; undefined unless this was the first start. */
  readonly credentialsFile: string | undefined;
  /** True when a sandbox created the store. */
  readonly isMadeForTests: boolean;
  /** The result of a fixture at this start; undefined for none. */
  readonly fixture: FixtureResult | undefined;
  /** The current work of the event loop. It stops when the server begins to stop. */
  readonly activity: LoopActivity;
  /** The context, for tests that need more than the API. */
  readonly context: Context;
  readonly scheduler: Scheduler;
  /** Finishes current requests, writes everything to disk and releases the lock. A second call waits for the first. */
  stop(): Promise<void>;
}

/** The current handler of requests. */
export interface HandlerSlot {
  fetch: Fetch;
}

/**
 * Locks the data folder, listens, loads the modules and opens the store. Until then, it answers requests that the server is
 * starting. Throws `StartError` for errors that the user can fix.
 */
export async function startApp(config: Config, log: Log, overrides: ServerOverrides = {}): Promise<App> {
  const handlerSlot: HandlerSlot = {
    fetch: new StartupHandler(overrides.randomness ?? systemRandomness, config.sandbox).fetch,
  };
  const lock = prepareFolder(diskOf(config, overrides), config.dataFolder, lockFolder);
  let listener: Listener | undefined;
  let guard: ConnectionGuard | undefined;
  try {
    listener = await openListener(config, (request, server) => handlerSlot.fetch(request, server), log);
    guard = ConnectionGuard.start(listener.port, config, log);
    noteAddress(config.dataFolder, calledAt(listener.origin));
    const matcher = new Matcher(hasTls(config));
    // The runtime and Elysia collect garbage when they begin to listen, which is fast before the modules are in memory.
    const { startServing } = await import("./serving.ts");
    return await startServing(config, log, overrides, { lock, listener, guard, handlerSlot, matcher });
  } catch (error) {
    guard?.stop();
    listener?.cutOff();
    lock.release();
    throw error;
  }
}
