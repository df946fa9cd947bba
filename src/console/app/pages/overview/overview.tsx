import { answerOf, client } from "../../api/client.ts";
import { type Metrics, metricOf, readMetrics } from "../../api/metrics.ts";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { bytesText, Figure, Moment } from "../../parts/moment.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { hrefOf } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { Attention } from "./attention.tsx";
import { LiveView } from "./live-view.tsx";

/** The interval of polling documents and sizes, which change slowly. */
const everyMs = 30_000;

/** The version, the state and, for administrators, live metrics of the server. */
export default function Overview() {
  return (
    <>
      <h1>Overview</h1>
      {me().is_admin ? <ServerState /> : <OwnState />}
    </>
  );
}

function OwnState() {
  const { data: metadata } = useAnswer("metadata", () => answerOf(client.GET("/api/v4/metadata")));
  return (
    <>
      <Facts of={[["Version", metadata?.version]]} />
      <p>
        You are signed in as {me().username}. <a href={hrefOf(`/people/${me().id}`)}>Your profile and tokens</a>
      </p>
    </>
  );
}

function ServerState() {
  const { data: metrics, refusal, reload } = useAnswer("metrics", readMetrics);
  useInterval(everyMs, true, reload);
  if (refusal !== "") return <Refusal text={refusal} />;
  return (
    <>
      <Attention />
      <ServerFacts metrics={metrics} />
      <LiveView />
      {metrics !== undefined && <Documents metrics={metrics} />}
    </>
  );
}

/** Loads the other facts while the metrics are loading. */
function ServerFacts({ metrics }: { readonly metrics: Metrics | undefined }) {
  const { data: readiness } = useAnswer("readiness", () => answerOf(client.GET("/-/readiness")));
  const { data: backups } = useAnswer("backups", () => answerOf(client.GET("/-/backups")));
  if (metrics === undefined) return <p role="status">Loading…</p>;
  const [build] = metrics.get("outpost_build_info") ?? [];
  const freeBytes = readiness?.checks?.disk.free_bytes;
  const startedAt = new Date(metricOf(metrics, "process_start_time_seconds") * 1000).toISOString();
  return (
    <Facts
      of={[
        ["Version", build?.labels.version],
        ["API", build?.labels.api_version],
        ["Edition", build?.labels.edition],
        ["Running since", <Moment key="since" at={startedAt} />],
        ["Memory", bytesText(metricOf(metrics, "process_resident_memory_bytes"))],
        ["Journal", bytesText(metricOf(metrics, "outpost_store_journal_bytes"))],
        ["Free on the disk", typeof freeBytes === "number" ? bytesText(freeBytes) : "unknown"],
        [
          "Last backup",
          <a key="backup" href={hrefOf("/backups")}>
            {backups === undefined ? "…" : <Moment at={backups.archives[0]?.written_at} />}
          </a>,
        ],
      ]}
    />
  );
}

function Documents({ metrics }: { readonly metrics: Metrics }) {
  const kinds = (metrics.get("outpost_store_documents") ?? [])
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  return (
    <>
      <h2>
        Documents <a href={hrefOf("/data")}>all data</a>
      </h2>
      <Facts
        of={kinds.map(({ labels, value }) => [
          (labels.collection ?? "").replaceAll("-", " "),
          <Figure key={labels.collection} of={value} />,
        ])}
      />
    </>
  );
}
