import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { type ServerEvents, useEvents } from "../../parts/hooks/use-events.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { lazy } from "../../parts/lazy.tsx";
import { bytesText, Moment } from "../../parts/moment.tsx";
import { Table } from "../../parts/table.tsx";
import { hrefOf } from "../../state/router.ts";

type Figures = ServerEvents["figures"];
type Jobs = ServerEvents["jobs"];

const Plot = lazy(() => import("../../parts/plot.tsx"));
/** A quarter of an hour, in periods of five seconds. */
const periodsMax = 180;
const progressMs = 1_000;

/** Live charts of requests and jobs. */
export function LiveView() {
  const [seen, setSeen] = useState<readonly Figures[]>([]);
  const [toldJobs, setToldJobs] = useState<Jobs>();
  const figures = useAnswer("figures", () => answerOf(client.GET("/-/figures")));
  const jobs = useAnswer("jobs", () => answerOf(client.GET("/-/jobs")));
  const catchUp = () => {
    setSeen([]);
    setToldJobs(undefined);
    figures.reload();
    jobs.reload();
  };
  const told = {
    figures: (value: Figures) => setSeen((before) => [...before, value].slice(-periodsMax)),
    jobs: setToldJobs,
  };
  const isLive = useEvents(told, catchUp);
  const asked = figures.data ?? [];
  const lastAsked = asked.at(-1)?.at ?? "";
  const all = [...asked, ...seen.filter(({ at }) => at > lastAsked)].slice(-periodsMax);
  return (
    <>
      <h2>
        Requests <a href={hrefOf("/requests")}>each of them</a>
      </h2>
      <div class="list-tools">
        <span class="weak" role="status">
          {isLive ? "Live" : "Asked for every 5 s"}
        </span>
        <ApiButton call={{ method: "GET", address: addressOf("/-/console/events") }} />
      </div>
      <Traffic figures={all} />
      <h2>
        Jobs <a href={hrefOf("/jobs")}>all jobs</a>
      </h2>
      <BackupProgress />
      <JobTable jobs={toldJobs ?? jobs.data} />
    </>
  );
}

function Traffic({ figures }: { readonly figures: readonly Figures[] }) {
  const last = figures.at(-1);
  if (last === undefined || figures.length < 2)
    return <p class="weak">The plot begins with the second period of five seconds.</p>;
  const times = figures.map(({ at }) => Date.parse(at) / 1000);
  const rate = last.requests_per_second.toFixed(1);
  return (
    <>
      <Plot
        label={`Requests per second in the last 15 minutes: ${rate} now, ${last.server_errors_per_second} of them failed`}
        times={times}
        series={[
          { label: "requests per second", values: figures.map((each) => each.requests_per_second) },
          { label: "server errors per second", values: figures.map((each) => each.server_errors_per_second) },
        ]}
      />
      <Plot
        label={`Milliseconds that requests took: p50 ${last.p50_ms ?? "none"}, p99 ${last.p99_ms ?? "none"} now`}
        times={times}
        series={[
          { label: "p50 ms", values: figures.map(({ p50_ms }) => p50_ms) },
          { label: "p99 ms", values: figures.map(({ p99_ms }) => p99_ms) },
        ]}
      />
    </>
  );
}

/** The progress of the current backup. */
function BackupProgress() {
  const { data: backups, reload } = useAnswer("backup progress", () => answerOf(client.GET("/-/backups")));
  const running = backups?.running ?? null;
  useInterval(progressMs, running !== null, reload);
  if (running === null) return null;
  const { name, done_bytes, total_bytes } = running;
  return (
    <p role="status">
      <label>
        {name} is being made: {bytesText(done_bytes)}{" "}
        <progress aria-label="Progress" {...(total_bytes === null ? {} : { max: total_bytes, value: done_bytes })} />
      </label>
    </p>
  );
}

function JobTable({ jobs }: { readonly jobs: Jobs | undefined }) {
  if (jobs?.length === 0) {
    return (
      <p class="empty">
        No work of the server's own is under way. <a href={hrefOf("/storage-moves")}>Storage moves</a> are such work.
      </p>
    );
  }
  return (
    <Table
      rows={jobs ?? []}
      keyOf={({ id }) => id}
      isLoading={jobs === undefined}
      columns={[
        { head: "Kind", cell: ({ kind }) => kind.replaceAll("_", " ") },
        { head: "State", cell: ({ state }) => <span class={state === "failed" ? "tag warning" : ""}>{state}</span> },
        { head: "Attempts", cell: ({ attempts }) => attempts },
        { head: "Due", cell: ({ due_at }) => <Moment at={due_at} /> },
        { head: "Last step", cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
    />
  );
}
