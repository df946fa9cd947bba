import type { Server } from "bun";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { explained, type Fetch, idleSecondsMax, type Listener, originOf, type Serving, serveTcp } from "./listener.ts";
import { leadTo, socketDescriptors } from "./reuseport.ts";
import { type PairFiles, readPair, staleness, stampOf, type TlsPair } from "./tls-pair.ts";

/** How often the files are looked at. They are read once they have stayed the same from one look to the next. */
const lookMs = 500;

/** By then whoever is connected with the former certificate was answered to the end, or has been silent too long. */
const retirementMs = (idleSecondsMax + 5) * 1_000;

/** Listens with the certificate in the files, and with another one as soon as there is. */
export function listenWithFiles(config: Config, files: PairFiles, serving: Serving): Listener {
  const stamp = stampOf(files);
  const pair = readPair(files);
  warnIfStale(pair, files, serving.log);
  // Others might bind a port that is shared: nobody may have it yet.
  const { port } = explained(config, () => probe(config));
  return new ReloadingListener({ ...config, port }, files, { pair, stamp }, serving);
}

function probe({ host, port }: Config): { port: number } {
  const probed = Bun.listen({ hostname: host, port, socket: { data: () => {} } });
  probed.stop(true);
  return probed;
}

function warnIfStale(pair: TlsPair, { cert }: PairFiles, log: Log): void {
  const reason = staleness(pair, new Date());
  if (reason !== undefined) log.warn({ file: cert, reason }, "the certificate is not valid now");
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
  readonly #serving: Serving;
  readonly #looking: NodeJS.Timeout;
  readonly #retirements = new Set<NodeJS.Timeout>();
  /** All that have something to do yet. */
  readonly #servers = new Set<Server<undefined>>();
  /** Those who share the port, each at the place that the kernel counts it at. */
  readonly #members: Member[] = [];
  #current: Member;
  /** Of the files as they are used. */
  #used: string | undefined;
  /** Of files that were of no use: they are tried again, and told of once. */
  #refused: string | undefined;
  #seen: string | undefined;

  constructor(
    config: Config,
    files: PairFiles,
    { pair, stamp }: { readonly pair: TlsPair; readonly stamp: string | undefined },
    serving: Serving,
  ) {
    this.#config = config;
    this.#files = files;
    this.#serving = serving;
    this.#current = explained(config, () => this.#join(pair));
    this.origin = originOf("https", config.host, this.#current.server);
    this.#used = stamp;
    this.#seen = stamp;
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  get pendingRequests(): number {
    return [...this.#servers].reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    for (const retirement of this.#retirements) clearTimeout(retirement);
    await Promise.all([...this.#servers].map((server) => server.stop()));
  }

  cutOff(): void {
    for (const server of this.#servers) void server.stop(true);
  }

  /** Another server on the port, to which all new connections are led from now on. */
  #join(tls: TlsPair): Member {
    const before = socketDescriptors();
    const answerTo: Fetch = (request, server) => {
      const answer = this.#serving.fetch(request, server);
      return server === this.#current.server ? answer : lastAnswer(answer);
    };
    const server = serveTcp(this.#config, { ...this.#serving, fetch: answerTo }, { tls, reusePort: true });
    try {
      const sockets = socketDescriptors().difference(before);
      if (this.#members.length > 0) leadTo(sockets, this.#members.length);
      const member = { server, sockets };
      this.#members.push(member);
      this.#servers.add(server);
      return member;
    } catch (error) {
      void server.stop(true);
      throw error;
    }
  }

  #look(): void {
    const stamp = stampOf(this.#files);
    const isSettled = stamp === this.#seen;
    this.#seen = stamp;
    if (stamp === undefined || stamp === this.#used || !isSettled) return;
    const { cert } = this.#files;
    const { log } = this.#serving;
    try {
      const pair = readPair(this.#files);
      const former = this.#current;
      this.#current = this.#join(pair);
      this.#used = stamp;
      this.#retire(former);
      warnIfStale(pair, this.#files, log);
      log.info({ file: cert }, "the certificate was replaced");
    } catch (error) {
      if (stamp === this.#refused) return;
      this.#refused = stamp;
      log.error({ file: cert, error: String(error) }, "the new certificate is unusable; the old one stays");
    }
  }

  #retire(member: Member): void {
    const retirement = setTimeout(() => {
      this.#retirements.delete(retirement);
      const { server } = member;
      void server.stop().then(() => this.#servers.delete(server));
      // The kernel puts the last socket where one is taken away, and so others may stand elsewhere than before.
      const place = this.#members.indexOf(member);
      const last = this.#members.pop() as Member;
      if (last !== member) this.#members[place] = last;
      leadTo(this.#current.sockets, this.#members.indexOf(this.#current));
    }, retirementMs);
    this.#retirements.add(retirement);
  }
}

/** One of the servers that share the port, with the descriptors of the sockets that it listens on. */
interface Member {
  readonly server: Server<undefined>;
  readonly sockets: ReadonlySet<number>;
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
