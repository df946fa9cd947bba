import type { Server } from "bun";
import type { Config } from "../config/config.ts";
import type { Log } from "../domain/log.ts";
import { explained, type Fetch, idleSecondsMax, type Listener, originOf, serveTcp } from "./listener.ts";
import { leadTo, socketDescriptors } from "./port-group.ts";
import { type PairFiles, readPair, staleness, stampOf, type TlsPair } from "./tls-pair.ts";

/** How often the files are looked at. They are read once they have stayed the same from one look to the next. */
const lookMs = 1_000;

/** By then whoever is connected with the former certificate was answered to the end, or has been silent too long. */
const retirementMs = (idleSecondsMax + 5) * 1_000;

/** Listens with the certificate in the files, and with another one as soon as there is. */
export function listenWithFiles(config: Config, files: PairFiles, fetch: Fetch, log: Log): Listener {
  const stamp = stampOf(files);
  const pair = readPair(files);
  warnIfStale(pair, files, log);
  // Others might bind a port that is shared: nobody may have it yet.
  const { port } = explained(config, () => probe(config));
  return new ReloadingListener({ ...config, port }, files, { pair, stamp }, fetch, log);
}

function probe({ host, port }: Config): { port: number } {
  const probed = Bun.listen({ hostname: host, port, socket: { data: () => {} } });
  probed.stop(true);
  return probed;
}

function warnIfStale(pair: TlsPair, { cert }: PairFiles, log: Log): void {
  const reason = staleness(pair, new Date());
  if (reason !== undefined) log.warn({ file: cert, reason }, "the certificate is not good at this time");
}

/**
 * A server of Bun's keeps the certificate that it began with. So another one takes the port over beside it: new
 * connections are led there, and the former server goes on with those that it has, telling each to come anew.
 */
class ReloadingListener implements Listener {
  readonly origin: string;
  readonly authority = undefined;
  readonly #config: Config;
  readonly #files: PairFiles;
  readonly #fetch: Fetch;
  readonly #log: Log;
  readonly #looking: NodeJS.Timeout;
  #current: Server<undefined>;
  #retired: Server<undefined> | undefined;
  #retiring: NodeJS.Timeout | undefined;
  /** Of the files as they were used, or refused. */
  #used: string | undefined;
  #seen: string | undefined;

  constructor(
    config: Config,
    files: PairFiles,
    { pair, stamp }: { readonly pair: TlsPair; readonly stamp: string | undefined },
    fetch: Fetch,
    log: Log,
  ) {
    this.#config = config;
    this.#files = files;
    this.#fetch = fetch;
    this.#log = log;
    this.#current = explained(config, () => this.#serve(pair));
    this.origin = originOf("https", config.host, this.#current);
    this.#used = stamp;
    this.#seen = stamp;
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  get pendingRequests(): number {
    return this.#current.pendingRequests + (this.#retired?.pendingRequests ?? 0);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#retiring);
    await Promise.all([this.#current.stop(), this.#retired?.stop()]);
  }

  cutOff(): void {
    void this.#current.stop(true);
    void this.#retired?.stop(true);
  }

  #serve(tls: TlsPair): Server<undefined> {
    const fetch: Fetch = (request, server) => {
      const answer = this.#fetch(request, server);
      return server === this.#current ? answer : lastAnswer(answer);
    };
    return serveTcp(this.#config, fetch, { tls, reusePort: true });
  }

  #look(): void {
    const stamp = stampOf(this.#files);
    const isSettled = stamp === this.#seen;
    this.#seen = stamp;
    // While one server retires, the port is shared by two already.
    if (stamp === undefined || stamp === this.#used || !isSettled || this.#retired !== undefined) return;
    this.#used = stamp;
    const { cert } = this.#files;
    try {
      this.#replace(readPair(this.#files));
      this.#log.info({ file: cert }, "the certificate was exchanged");
    } catch (error) {
      this.#log.error({ file: cert, error: String(error) }, "the new certificate is of no use; the former one stays");
    }
  }

  #replace(pair: TlsPair): void {
    warnIfStale(pair, this.#files, this.#log);
    const before = socketDescriptors();
    const next = this.#serve(pair);
    leadTo(socketDescriptors().difference(before), 1);
    this.#retired = this.#current;
    this.#current = next;
    this.#retiring = setTimeout(() => {
      const ended = this.#retired?.stop() ?? Promise.resolve();
      void ended.then(() => {
        this.#retired = undefined;
      });
    }, retirementMs);
  }
}

/** The connection ends with it: the next one gets the new certificate. */
function lastAnswer(answer: Response | Promise<Response>): Response | Promise<Response> {
  if (answer instanceof Promise) return answer.then((response) => closing(response));
  return closing(answer);
}

function closing(response: Response): Response {
  response.headers.set("Connection", "close");
  return response;
}
