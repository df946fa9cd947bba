import type { Histogram, Registry } from "prom-client";
import type { Metrics } from "../modules/context.ts";
import type { JobCount } from "../modules/jobs/index.ts";

/** One answered request; `route` is the operation's pattern, never a path with names in it. */
interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What is told of the store. */
interface WatchedStore {
  readonly isSearchReady: boolean;
  isWritable(): boolean;
  statistics(): { documents: Record<string, number>; journalBytes: number; durableSequence: number };
}

const bucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** More observations than this are not kept while the library is being loaded. */
const waitingMax = 10_000;

type RequestLabel = "method" | "route" | "status";

/**
 * Figures for Prometheus. The library is loaded after the server listens, so that the start does not wait for it;
 * what is answered before is kept and counted then.
 */
export class RequestMetrics implements Metrics {
  readonly #store: WatchedStore;
  readonly #countJobs: () => readonly JobCount[];
  readonly #waiting: Observation[] = [];
  readonly #series = new Map<string, { observe(seconds: number): void }>();
  #histogram: Histogram<RequestLabel> | undefined;
  #registry: Promise<Registry> | undefined;

  constructor(store: WatchedStore, countJobs: () => readonly JobCount[]) {
    this.#store = store;
    this.#countJobs = countJobs;
  }

  observe(observation: Observation): void {
    if (this.#histogram !== undefined) this.#count(this.#histogram, observation);
    else if (this.#waiting.length < waitingMax) this.#waiting.push(observation);
  }

  async render(): Promise<string> {
    this.#registry ??= this.#load();
    return (await this.#registry).metrics();
  }

  async #load(): Promise<Registry> {
    const { Gauge, Histogram, Registry } = await import("prom-client");
    const registry = new Registry();
    // Not the library's default figures: its heap statistics walk the whole heap, seconds for a million documents.
    const registers = [registry];
    new Gauge({
      name: "process_resident_memory_bytes",
      help: "Memory of the process",
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
    new Gauge({
      name: "process_cpu_seconds_total",
      help: "CPU time of the process on all cores",
      registers,
      collect() {
        const { user, system } = process.cpuUsage();
        this.set((user + system) / 1e6);
      },
    });
    new Gauge({
      name: "process_start_time_seconds",
      help: "When the process began, in seconds since 1970",
      registers,
    }).set(performance.timeOrigin / 1000);
    const store = this.#store;
    new Gauge({
      name: "outpost_store_documents",
      help: "Documents of a collection",
      labelNames: ["collection"],
      registers,
      collect() {
        for (const [collection, documents] of Object.entries(store.statistics().documents)) {
          this.set({ collection }, documents);
        }
      },
    });
    new Gauge({
      name: "outpost_store_journal_bytes",
      help: "Bytes of the journal that a start would read",
      registers,
      collect() {
        this.set(store.statistics().journalBytes);
      },
    });
    new Gauge({
      name: "outpost_store_transactions",
      help: "Number of the last transaction that is on disk",
      registers,
      collect() {
        this.set(store.statistics().durableSequence);
      },
    });
    new Gauge({
      name: "outpost_store_writable",
      help: "1 while writes are taken",
      registers,
      collect() {
        this.set(store.isWritable() ? 1 : 0);
      },
    });
    new Gauge({
      name: "outpost_store_search_ready",
      help: "1 once the text indexes are built; until then searches take longer",
      registers,
      collect() {
        this.set(store.isSearchReady ? 1 : 0);
      },
    });
    const countJobs = this.#countJobs;
    new Gauge({
      name: "outpost_jobs",
      help: "Work of the server's own by kind and state; what is done is no longer counted",
      labelNames: ["kind", "state"],
      registers,
      collect() {
        for (const { kind, state, count } of countJobs()) this.set({ kind, state }, count);
      },
    });
    this.#histogram = new Histogram({
      name: "outpost_http_request_duration_seconds",
      help: "Time from the first byte of a request to its answer",
      labelNames: ["method", "route", "status"],
      buckets: bucketsSeconds,
      registers,
    });
    for (const observation of this.#waiting.splice(0)) this.#count(this.#histogram, observation);
    return registry;
  }

  #count(histogram: Histogram<RequestLabel>, { method, route, status, seconds }: Observation): void {
    const key = `${method} ${status} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = histogram.labels(method, route, String(status));
      this.#series.set(key, series);
    }
    series.observe(seconds);
  }
}
