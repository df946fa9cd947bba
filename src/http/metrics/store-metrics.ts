import { readdirSync, readFileSync } from "node:fs";
import { version } from "../../../package.json" with { type: "json" };
import type { Edition } from "../../domain/edition.ts";
import { apiVersion, revision } from "../../domain/release.ts";
import type { JobCount } from "../../modules/core/background-jobs/index.ts";
import type { StoreStatistics } from "../../store/index.ts";

/** The sources of the metrics. */
export interface Sources {
  readonly store: {
    readonly isSearchReady: boolean;
    writeRefusal(): string | undefined;
    statistics(): StoreStatistics;
  };
  readonly edition: Edition;
  countJobs(): readonly JobCount[];
  /** Returns the number of unsent mails. Without an SMTP server they stay. */
  countUnsentMails(): number;
  /** Returns the number of dropped log lines. */
  countDroppedLogLines(): number;
}

/** The sources, including the server's own. */
interface AllSources extends Sources {
  /** The number of answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  inFlight(): number;
  readonly eventLoop: { readonly holds: number; readonly longestHoldSeconds: number };
}

type Reading = readonly [labels: Record<string, string>, value: number];

interface Metric {
  readonly kind: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  readonly labels?: string[];
  read(sources: AllSources): Iterable<Reading>;
}

/** All metrics except the histograms, in the order of the answer. */
export const storeMetrics: readonly Metric[] = [
  {
    ...gauge("outpost_build_info", "1, with what is running"),
    labels: ["version", "api_version", "revision", "edition"],
    read: ({ edition }) => [[{ version, api_version: apiVersion, revision, edition }, 1]],
  },
  {
    ...gauge("process_resident_memory_bytes", "Memory of the process"),
    read: () => ifReadable(() => process.memoryUsage.rss()),
  },
  {
    ...counter("process_cpu_seconds_total", "CPU time of the process on all cores"),
    read() {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    },
  },
  {
    ...gauge("process_start_time_seconds", "When the process began, in seconds since 1970"),
    read: () => one(performance.timeOrigin / 1000),
  },
  { ...gauge("process_open_fds", "Open files and connections of the process"), read: () => countOpenFiles() },
  { ...gauge("process_max_fds", "How many of them there may be"), read: () => readFileLimit() },
  {
    ...counter("outpost_http_responses_total", "Answers by status"),
    labels: ["status"],
    read: ({ answers }) => [...answers].map(([status, count]) => [{ status: String(status) }, count]),
  },
  {
    ...gauge("outpost_http_requests_in_flight", "Requests that are being answered, including this one"),
    read: ({ inFlight }) => one(inFlight()),
  },
  {
    ...gauge("outpost_store_documents", "Documents of a collection"),
    labels: ["collection"],
    read: ({ store }) =>
      Object.entries(store.statistics().documents).map(([collection, count]) => [{ collection }, count]),
  },
  {
    ...gauge("outpost_store_transactions", "Number of the last transaction that is on disk"),
    read: ({ store }) => one(store.statistics().durableSequence),
  },
  {
    ...gauge("outpost_store_writable", "1 while writes are taken"),
    read: ({ store }) => one(store.writeRefusal() === undefined ? 1 : 0),
  },
  {
    ...gauge("outpost_store_search_ready", "1 once the text indexes are built; until then searches take longer"),
    read: ({ store }) => one(store.isSearchReady ? 1 : 0),
  },
  {
    ...gauge("outpost_store_journal_bytes", "Bytes of the journal that a start would read"),
    read: ({ store }) => one(store.statistics().journalBytes),
  },
  {
    ...counter("outpost_journal_written_bytes_total", "Bytes that were written to the journal"),
    read: ({ store }) => one(store.statistics().journal.bytes),
  },
  {
    ...counter("outpost_journal_written_lines_total", "Transactions that were written to the journal"),
    read: ({ store }) => one(store.statistics().journal.lines),
  },
  {
    ...gauge("outpost_checkpoint_dirty_segments", "Files of documents that are older than the memory"),
    read: ({ store }) => one(store.statistics().checkpoint.dirtySegments),
  },
  {
    ...gauge("outpost_checkpoint_failing_segments", "Files of documents whose last write failed"),
    read: ({ store }) => one(store.statistics().checkpoint.failingSegments),
  },
  {
    ...gauge("outpost_checkpoint_lag_transactions", "Transactions back to the oldest that only the journal has"),
    read: ({ store }) => one(store.statistics().checkpoint.lag),
  },
  {
    ...counter("outpost_checkpoint_segments_total", "Files of documents that were written back"),
    read: ({ store }) => one(store.statistics().checkpoint.written),
  },
  {
    ...gauge("outpost_checkpoint_last_timestamp_seconds", "When all that was due was last written back"),
    read({ store }) {
      const { lastRoundMs } = store.statistics().checkpoint;
      return lastRoundMs === undefined ? [] : one(lastRoundMs / 1000);
    },
  },
  {
    ...gauge("outpost_jobs", "Work of the server's own by kind and state; what is done is no longer counted"),
    labels: ["kind", "state"],
    read: ({ countJobs }) => countJobs().map(({ kind, state, count }) => [{ kind, state }, count]),
  },
  {
    ...gauge("outpost_mails_unsent", "Mails that wait to be sent"),
    read: ({ countUnsentMails }) => one(countUnsentMails()),
  },
  {
    ...counter("outpost_event_loop_holds_total", "Times that the event loop was held for more than a second"),
    read: ({ eventLoop }) => one(eventLoop.holds),
  },
  {
    ...gauge(
      "outpost_event_loop_longest_hold_seconds",
      "The longest time that the event loop was held since the start",
    ),
    read: ({ eventLoop }) => one(eventLoop.longestHoldSeconds),
  },
  {
    ...counter("outpost_log_lines_dropped_total", "Lines of the log that were lost, since their reader was too slow"),
    read: ({ countDroppedLogLines }) => one(countDroppedLogLines()),
  },
];

function gauge(name: string, help: string) {
  return { kind: "gauge", name, help } as const;
}

function counter(name: string, help: string) {
  return { kind: "counter", name, help } as const;
}

function one(value: number): Reading[] {
  return [[{}, value]];
}

function countOpenFiles(): Reading[] {
  return ifReadable(() => readdirSync("/proc/self/fd").length);
}

function readFileLimit(): Reading[] {
  return ifReadable(() => {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  });
}

/** Returns the reading; none on systems without `/proc`, or when no file descriptor is left. */
function ifReadable(ask: () => number | undefined): Reading[] {
  try {
    const value = ask();
    return value === undefined ? [] : one(value);
  } catch {
    return [];
  }
}
