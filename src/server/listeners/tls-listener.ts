import type { Server } from "bun";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { type Fetch, type Listener, mapBindErrors, originOf, type Serving, serveTcp } from "./listener.ts";
import { fileVersionOf, type PairFiles, readPair, type TlsPair, validityProblem } from "./tls-pair.ts";

/** The interval between two checks of the files. The listener reads them once they are unchanged between two checks. */
const lookMs = 500;

/** Listens with the certificate in the files, and reloads it when they change. */
export function listenWithFiles(config: Config, files: PairFiles, serving: Serving): Listener {
  const stamp = fileVersionOf(files);
  const pair = readPair(files);
  warnIfStale(pair, files, serving.log);
  // Another process could share the port, so this checks first that the port is free.
  const { port } = mapBindErrors(config, () => probe(config));
  return new ReloadingListener({ ...config, port }, files, { pair, stamp }, serving);
}

function probe({ host, port }: Config): { port: number } {
  const probed = Bun.listen({ hostname: host, port, socket: { data: () => {} } });
  probed.stop(true);
  return probed;
}

function warnIfStale(pair: TlsPair, { cert }: PairFiles, log: Log): void {
  const reason = validityProblem(pair, new Date());
  if (reason !== undefined) log.warn({ file: cert, reason }, "the certificate is not valid now");
}

/**
 * A listener that reloads its certificate. A server of Bun cannot change its own, so another one binds the same port. The
 * former one stops listening, and closes each of its connections with the next answer.
 */
class ReloadingListener implements Listener {
  readonly origin: string;
  readonly port: number;
  readonly authority = undefined;
  readonly #config: Config;
  readonly #files: PairFiles;
  readonly #serving: Serving;
  readonly #looking: NodeJS.Timeout;
  /** The current server, and former ones that still answer. */
  readonly #servers = new Set<Server<undefined>>();
  #current: Server<undefined>;
  /** The version of the files in use. */
  #used: string | undefined;
  /** The version of unusable files. The listener tries them again and logs the error once. */
  #refused: string | undefined;
  #seen: string | undefined;

  constructor(
    config: Config,
    files: PairFiles,
    { pair, stamp }: { readonly pair: TlsPair; readonly stamp: string | undefined },
    serving: Serving,
  ) {
    this.#config = config;
    this.port = config.port;
    this.#files = files;
    this.#serving = serving;
    this.#current = mapBindErrors(config, () => this.#serve(pair));
    this.origin = originOf("https", config.host, this.#current);
    this.#used = stamp;
    this.#seen = stamp;
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  get pendingRequests(): number {
    return [...this.#servers].reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all([...this.#servers].map((server) => server.stop()));
  }

  cutOff(): void {
    for (const server of this.#servers) void server.stop(true);
  }

  #serve(tls: TlsPair): Server<undefined> {
    const answerTo: Fetch = async (request, own) => {
      const response = await this.#serving.fetch(request, own);
      // The client then connects again, with the new certificate.
      if (own !== this.#current) response.headers.set("Connection", "close");
      return response;
    };
    const server = serveTcp(this.#config, { ...this.#serving, fetch: answerTo }, { tls, reusePort: true });
    this.#servers.add(server);
    return server;
  }

  #look(): void {
    const stamp = fileVersionOf(this.#files);
    const isSettled = stamp === this.#seen;
    this.#seen = stamp;
    if (stamp === undefined || stamp === this.#used || !isSettled) return;
    const { cert } = this.#files;
    const { log } = this.#serving;
    try {
      const pair = readPair(this.#files);
      const former = this.#current;
      this.#current = this.#serve(pair);
      this.#used = stamp;
      void former.stop().then(() => this.#servers.delete(former));
      warnIfStale(pair, this.#files, log);
      log.info({ file: cert }, "the certificate was replaced");
    } catch (error) {
      if (stamp === this.#refused) return;
      this.#refused = stamp;
      log.error({ file: cert, error: String(error) }, "the new certificate is unusable; the old one stays");
    }
  }
}
