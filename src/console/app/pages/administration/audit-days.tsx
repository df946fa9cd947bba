import { send } from "../../api/client.ts";
import { counting } from "../../api/counting.ts";
import { addressOf, type QueryValue } from "../../api/paths.ts";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { lazy } from "../../parts/lazy.tsx";

const Plot = lazy(() => import("../../parts/plot.tsx"));
const days = 14;
const dayMs = 86_400_000;

/** A bar chart of the audit events per day. */
export function AuditDays({ entityType }: { readonly entityType: string }) {
  const today = new Date().toISOString().slice(0, 10);
  const { data: counts } = useAnswer(`${today} ${entityType}`, () =>
    counting.map(Array.from({ length: days }).keys(), (index) =>
      countOn(dayBefore(today, days - 1 - index), entityType),
    ),
  );
  if (counts === undefined) return <div class="plot" aria-busy="true" />;
  const times = counts.map((_, index) => Date.parse(dayBefore(today, days - 1 - index)) / 1000);
  const last = counts.at(-1) ?? 0;
  const label = `Audit events of the last ${days} days, UTC; ${last} today`;
  return <Plot label={label} times={times} series={[{ label: "Events", values: counts }]} shape="bars" />;
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}

/** Returns the length of a day's list, since the API has no counts by day. */
async function countOn(day: string, entityType: string): Promise<number> {
  const query: Record<string, QueryValue> = {
    ...{ created_after: `${day}T00:00:00.000Z`, created_before: `${day}T23:59:59.999Z` },
    ...{ entity_type: entityType, per_page: 1 },
  };
  const answer = await send(new URL(addressOf("/api/v4/audit_events", {}, query), location.origin).href);
  return Number(answer.headers.get("x-total"));
}
