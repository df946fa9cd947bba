import { answerOf, client } from "../../api/client.ts";
import { counting } from "../../api/counting.ts";
import type { QueryOf } from "../../api/paths.ts";
import { useAnswer } from "../hooks/use-answer.ts";
import { lazy } from "../lazy.tsx";

const Plot = lazy(() => import("../plot.tsx"));
const weeks = 12;
const weekMs = 7 * 86_400_000;

interface IssuePlotProps {
  /** undefined means the issues of all projects that the user sees. */
  readonly projectId?: number;
  readonly query: Pick<QueryOf<"/api/v4/issues">, "labels[]" | "milestone" | "scope" | "search">;
}

/** A chart of the created issues per week, by their current state. */
export function IssuePlot({ projectId, query }: IssuePlotProps) {
  const { labels: _, ...shown } = { ...query, labels: query["labels[]"]?.join(", ") };
  const lastEnd = new Date(Date.now() + weekMs).toISOString().slice(0, 10);
  const starts = Array.from({ length: weeks }, (_unused, index) => Date.parse(lastEnd) - (weeks - index) * weekMs);
  const { data: counts } = useAnswer(`${projectId} ${lastEnd} ${JSON.stringify(shown)}`, () =>
    counting.map(starts, (start) => countsFrom(start, projectId, query)),
  );
  if (counts === undefined) return <div class="plot" aria-busy="true" />;
  const sum = (pick: (count: { opened: number; closed: number }) => number) =>
    counts.reduce((total, count) => total + pick(count), 0);
  const label = `Issues created in the last ${weeks} weeks, by week: ${sum(({ opened }) => opened)} are open, ${sum(({ closed }) => closed)} are closed`;
  return (
    <Plot
      label={label}
      times={starts.map((start) => start / 1000)}
      series={[
        { label: "created that week, open now", values: counts.map(({ opened }) => opened) },
        { label: "created that week, closed now", values: counts.map(({ closed }) => closed) },
      ]}
    />
  );
}

async function countsFrom(start: number, projectId: number | undefined, query: IssuePlotProps["query"]) {
  const week = {
    ...query,
    created_after: new Date(start).toISOString(),
    created_before: new Date(start + weekMs - 1).toISOString(),
  };
  const { statistics } = await answerOf(
    projectId === undefined
      ? client.GET("/api/v4/issues_statistics", { params: { query: week } })
      : client.GET("/api/v4/projects/{id}/issues_statistics", { params: { path: { id: projectId }, query: week } }),
  );
  return statistics.counts;
}
