import type { Registry } from "prom-client";
import { Histogram } from "../../lib/histogram.ts";
import type { Context, Metrics } from "../../modules/kernel/context.ts";
import { EventLoopWatch } from "./event-loop.ts";
import { addHistogram } from "./histogram.ts";
import { type Sources, storeMetrics } from "./store-metrics.ts";

export type { Sources } from "./store-metrics.ts";

/** An answered request. `route` is the operation's pattern, which has no names in it. */
interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The durations of one kind of answer, and its labels. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly histogram: Histogram;
}

/** The Prometheus metrics. The first request for them loads the library. */
export class RequestMetrics implements Metrics {
  readonly isOpenLocally: boolean;
  readonly #sources: Sources;
  /** The series by route, then by method and status class. */
  readonly #series = new Map<string, Map<string, Series[]>>();
  readonly #answers = new Map<number, number>();
  readonly #eventLoop = new EventLoopWatch();
  #inFlight: () => number = () => 0;
  #registry: Promise<Registry> | undefined;

  constructor(sources: Sources, { isOpenLocally } = { isOpenLocally: true }) {
    this.#sources = sources;
    this.isOpenLocally = isOpenLocally;
  }

  /** Watches the event loop from now until `stop`. */
  start(inFlight: () => number, { activity, log }: Pick<Context, "activity" | "log">): void {
    this.#inFlight = inFlight;
    this.#eventLoop.start(activity, (ms) => log.warn({ held_ms: Math.round(ms) }, "the event loop was held"));
  }

  stop(): void {
    this.#eventLoop.stop();
  }

  observe({ method, route, status, seconds }: Observation): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    const ofRoute = this.#series.get(route) ?? new Map<string, Series[]>();
    const ofMethod = ofRoute.get(method) ?? [];
    const statusClass = Math.floor(status / 100);
    const series = ofMethod[statusClass];
    if (series !== undefined) {
      series.histogram.observe(seconds);
      return;
    }
    const histogram = Histogram.ofSeconds();
    histogram.observe(seconds);
    ofMethod[statusClass] = { labels: { method, route, status: `${statusClass}xx` }, histogram };
    this.#series.set(route, ofRoute.set(method, ofMethod));
  }

  *#allSeries(): Generator<Series> {
    for (const ofRoute of this.#series.values())
      for (const ofMethod of ofRoute.values()) yield* Object.values(ofMethod);
  }

  async render(): Promise<string> {
    this.#registry ??= this.#load();
    return (await this.#registry).metrics();
  }

  /** Loads the library without its default metrics: its heap statistics take seconds for a million documents. */
  async #load(): Promise<Registry> {
    const library = await import("prom-client");
    const registry = new library.Registry();
    const sources = { ...this.#sources, answers: this.#answers, inFlight: this.#inFlight, eventLoop: this.#eventLoop };
    for (const { kind, name, help, labels = [], read } of storeMetrics) {
      const options = { name, help, labelNames: labels, registers: [registry] };
      if (kind === "gauge") {
        new library.Gauge({
          ...options,
          collect() {
            this.reset();
            for (const [values, value] of read(sources)) this.set(values, value);
          },
        });
      } else {
        new library.Counter({
          ...options,
          collect() {
            this.reset();
            for (const [values, value] of read(sources)) this.inc(values, value);
          },
        });
      }
    }
    addHistogram(library, registry, {
      name: "outpost_http_request_duration_seconds",
      help: "Time from the first byte of a request to its answer, by route pattern and class of status",
      read: () => this.#allSeries(),
    });
    addHistogram(library, registry, {
      name: "outpost_journal_sync_duration_seconds",
      help: "Time that a sync of the journal to the disk took",
      read: () => [{ labels: {}, histogram: this.#sources.store.statistics().journal.syncs }],
    });
    addHistogram(library, registry, {
      name: "outpost_journal_sync_transactions",
      help: "Transactions that one sync of the journal made durable",
      read: () => [{ labels: {}, histogram: this.#sources.store.statistics().journal.batches }],
    });
    addHistogram(library, registry, {
      name: "outpost_event_loop_delay_seconds",
      help: "How late the event loop came to a timer that was due",
      read: () => [{ labels: {}, histogram: this.#eventLoop.delays }],
    });
    return registry;
  }
}
