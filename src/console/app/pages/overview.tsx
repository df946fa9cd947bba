import { useEffect, useState } from "preact/hooks";
import { answerOf, client } from "../api/client.ts";
import { type Metrics, metricOf, readMetrics } from "../api/metrics.ts";
import { Facts } from "../parts/facts.tsx";
import { KeysetList } from "../parts/keyset-list.tsx";
import { lazy } from "../parts/lazy.tsx";
import { bytesText, Figure, Moment } from "../parts/moment.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { useAnswer } from "../parts/use-answer.ts";
import { hrefOf } from "../state/router.ts";
import { me } from "../state/session.ts";
import { explain } from "../state/toasts.ts";

const Plot = lazy(() => import("../parts/plot.tsx"));
const everyMs = 5_000;
/** A quarter of an hour. */
const samplesMax = 180;
const littleSpaceBytes = 2_000_000_000;

/** The version, the state and, for administrators, the metrics of the server. */
export default function Overview() {
  const { data: metadata } = useAnswer("metadata", () => answerOf(client.GET("/api/v4/metadata")));
  return (
    <>
      <h1>Overview</h1>
      {me().is_admin ? (
        <MetricsView version={metadata?.version} />
      ) : (
        <>
          <Facts of={[["Version", metadata?.version]]} />
          <p>
            You are signed in as {me().username}. <a href={hrefOf(`/people/${me().id}`)}>Your profile and tokens</a>
          </p>
        </>
      )}
    </>
  );
}

/** Metrics that were read one after the other, oldest first. */
interface Reading {
  readonly atS: number;
  readonly metrics: Metrics;
}

function MetricsView({ version }: { readonly version: string | undefined }) {
  const { readings, refusal } = useReadings();
  const { data: readiness } = useAnswer("readiness", () => answerOf(client.GET("/-/readiness")));
  const last = readings.at(-1);
  if (refusal !== "") return <Refusal text={refusal} />;
  if (last === undefined) return <p role="status">Loading…</p>;
  const { metrics } = last;
  const [build] = metrics.get("outpost_build_info") ?? [];
  const freeBytes = readiness?.checks?.disk.free_bytes;
  return (
    <>
      <Attention metrics={metrics} freeBytes={freeBytes} />
      <Facts
        of={[
          ["Version", build?.labels.version],
          ["API", version ?? build?.labels.api_version],
          ["Edition", build?.labels.edition],
          ["Running since", <Moment key="since" at={startOf(metrics)} />],
          ["Memory", bytesText(metricOf(metrics, "process_resident_memory_bytes"))],
          ["Journal", bytesText(metricOf(metrics, "outpost_store_journal_bytes"))],
          ["Free on the disk", typeof freeBytes === "number" ? bytesText(freeBytes) : "unknown"],
        ]}
      />
      <h2>Requests</h2>
      <Requests readings={readings} />
      <h2>Documents</h2>
      <Documents metrics={metrics} />
      <h2>Jobs</h2>
      <KeysetList
        label="Jobs"
        path="/-/jobs"
        keyOf={({ id }) => id}
        empty={<p>No work of the server's own is under way.</p>}
        columns={[
          { head: "Kind", cell: ({ kind }) => kind.replaceAll("_", " ") },
          { head: "State", cell: ({ state }) => state },
          { head: "Due", cell: ({ due_at }) => <Moment at={due_at} /> },
        ]}
      />
    </>
  );
}

interface AttentionProps {
  readonly metrics: Metrics;
  readonly freeBytes: number | null | undefined;
}

/** Problems that need an administrator. */
function Attention({ metrics, freeBytes }: AttentionProps) {
  const failed = metricOf(metrics, "outpost_jobs", { state: "failed" });
  const unsent = metricOf(metrics, "outpost_mails_unsent");
  const notices = [
    metricOf(metrics, "outpost_store_writable") === 0 && "The store takes no writes. The log says why.",
    typeof freeBytes === "number" && freeBytes < littleSpaceBytes && "The disk has little space left.",
    failed > 0 && `${failed} jobs have failed: outpost api GET /-/jobs -F state=failed`,
    unsent > 0 && `${unsent} mails wait to be sent: outpost api GET /-/outbox`,
  ].filter((notice) => notice !== false);
  if (notices.length === 0) return <p class="good">Nothing needs attention.</p>;
  return (
    <ul class="notices" aria-label="Needs attention">
      {notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

function Requests({ readings }: { readonly readings: readonly Reading[] }) {
  const pairs = readings.slice(1).map((reading, index) => ({ reading, before: readings[index] as Reading }));
  if (pairs.length === 0) return <p class="weak">The plot begins with the second reading, in some seconds.</p>;
  const rate = (isWanted: (status: string) => boolean) =>
    pairs.map(({ reading, before }) => {
      const grown = countOf(reading.metrics, isWanted) - countOf(before.metrics, isWanted);
      return grown / (reading.atS - before.atS);
    });
  const all = rate(() => true);
  return (
    <Plot
      label={`Requests per second while this page is open: ${(all.at(-1) ?? 0).toFixed(1)} at the end`}
      times={pairs.map(({ reading }) => reading.atS)}
      series={[
        { label: "requests per second", values: all },
        { label: "server errors per second", values: rate((status) => status.startsWith("5")) },
      ]}
    />
  );
}

function countOf(metrics: Metrics, isWanted: (status: string) => boolean): number {
  const samples = metrics.get("outpost_http_responses_total") ?? [];
  return samples.filter(({ labels }) => isWanted(labels.status ?? "")).reduce((sum, { value }) => sum + value, 0);
}

function Documents({ metrics }: { readonly metrics: Metrics }) {
  const kinds = (metrics.get("outpost_store_documents") ?? [])
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  return (
    <Facts
      of={kinds.map(({ labels, value }) => [
        (labels.collection ?? "").replaceAll("-", " "),
        <Figure key={labels.collection} of={value} />,
      ])}
    />
  );
}

function startOf(metrics: Metrics): string {
  return new Date(metricOf(metrics, "process_start_time_seconds") * 1000).toISOString();
}

/** Reads the metrics now and then, as long as the page is visible. */
function useReadings() {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    const read = () => {
      if (document.hidden) return;
      readMetrics().then(
        (metrics) => setReadings((before) => [...before, { atS: Date.now() / 1000, metrics }].slice(-samplesMax)),
        (error: unknown) => setRefusal(explain(error)?.text ?? ""),
      );
    };
    read();
    const timer = setInterval(read, everyMs);
    return () => clearInterval(timer);
  }, []);
  return { readings, refusal };
}
