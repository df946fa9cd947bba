import type { Config } from "./config/config.ts";

/** A server that is listening. */
export interface App {
  /** `http://HOST:PORT`, with the port that was really taken. */
  readonly origin: string;
  /** Absolute path of the credentials file; undefined unless this was the first start. */
  readonly credentialsFile: string | undefined;
  /** Requests in flight are finished, everything is on disk, the lock is free. A second call waits for the first. */
  stop(): Promise<void>;
}

/** Opens the store, builds the modules, listens. Throws `StartError` for what a person can mend. */
export async function startApp(_config: Config): Promise<App> {
  throw new Error("not built yet");
}
