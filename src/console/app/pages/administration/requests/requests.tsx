import { useState } from "preact/hooks";
import { answerOf, client } from "../../../api/client.ts";
import { addressOf, type ItemOf, type QueryOf } from "../../../api/paths.ts";
import { ApiButton } from "../../../parts/buttons/api-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../../parts/filters.tsx";
import { useAnswer } from "../../../parts/hooks/use-answer.ts";
import { useEvents } from "../../../parts/hooks/use-events.ts";
import { Moment } from "../../../parts/moment.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { Table } from "../../../parts/table.tsx";
import { place, setQuery } from "../../../state/router.ts";
import { attempt } from "../../../state/toasts.ts";
import { RequestDialog } from "./request-dialog.tsx";

export type SeenRequest = ItemOf<"/-/requests">;
type Filter = Pick<QueryOf<"/-/requests">, "method" | "status" | "search">;

const methods = { "": "All", GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" } as const;
const statuses = {
  "": "All",
  "2xx": "2xx: done",
  "3xx": "3xx: elsewhere",
  "4xx": "4xx: refused",
  "5xx": "5xx: failed",
} as const;
const partSize = 100;
const shownMax = 2_000;

/** The latest requests, updated live. */
export default function Requests() {
  const filter = readFilter();
  const key = JSON.stringify(filter);
  const listOf = (before?: number) =>
    answerOf(
      client.GET("/-/requests", {
        params: { query: { ...filter, limit: partSize, ...(before === undefined ? {} : { id_before: before }) } },
      }),
    );
  const { data: first, refusal, reload } = useAnswer(key, () => listOf());
  const { rows, add, more } = useRows(key, first, filter, listOf);
  const [isHeld, setHeld] = useState(false);
  const isLive = useEvents({ requests: (seen) => !isHeld && add(seen) }, () => !isHeld && reload());
  const open = place.value.query.get("open") ?? "";
  return (
    <>
      <div class="page-head">
        <h1>Requests</h1>
        <button
          type="button"
          aria-pressed={isHeld}
          onClick={() => {
            setHeld(!isHeld);
            if (isHeld) reload();
          }}
        >
          Hold
        </button>
      </div>
      <p class="weak" role="status">
        {isHeld ? "Held: new requests wait." : isLive ? "New requests appear by themselves." : "Asked for every 5 s."}
      </p>
      <search class="filters">
        <SearchField />
        <ChoiceField name="method" label="Method" choices={methods} />
        <ChoiceField name="status" label="Status" choices={statuses} />
        <ApiButton call={{ method: "GET", address: addressOf("/-/requests", {}, { ...filter, limit: partSize }) }} />
      </search>
      <Refusal text={refusal} />
      <RequestTable rows={rows} isLoading={first === undefined && refusal === ""} />
      {more !== undefined && (
        <div class="list-end">
          <button type="button" onClick={() => void attempt(more)}>
            Load more
          </button>
        </div>
      )}
      {open !== "" && <RequestDialog id={Number(open)} onClose={() => setQuery({ open: "" })} />}
    </>
  );
}

function readFilter(): Filter {
  const method = choiceOf("method", methods);
  const status = choiceOf("status", statuses);
  const search = place.value.query.get("search") ?? "";
  return {
    ...(method === "" ? {} : { method }),
    ...(status === "" ? {} : { status }),
    ...(search === "" ? {} : { search }),
  };
}

/** Returns the first rows, newer ones as they come, and older ones that the user loaded. */
function useRows(
  key: string,
  first: readonly SeenRequest[] | undefined,
  filter: Filter,
  listOf: (before: number) => Promise<readonly SeenRequest[]>,
) {
  const [state, setState] = useState<{ key: string; newer: readonly SeenRequest[]; older: readonly SeenRequest[] }>();
  const [hasEnded, setEnded] = useState("");
  const own = state?.key === key ? state : { key, newer: [], older: [] };
  const rows = merge(own.newer, first ?? [], own.older);
  const last = rows.at(-1);
  const mayHaveMore = rows.length >= partSize && rows.length < shownMax && hasEnded !== key;
  return {
    rows,
    add: (seen: readonly SeenRequest[]) => {
      const fitting = seen.filter((each) => fits(each, filter));
      if (fitting.length > 0) setState({ ...own, newer: merge(fitting, own.newer, []) });
    },
    more:
      last === undefined || !mayHaveMore
        ? undefined
        : async () => {
            const older = await listOf(last.id);
            if (older.length < partSize) setEnded(key);
            setState({ ...own, older: merge([], own.older, older) });
          },
  };
}

/** Returns each request once, newest first. */
function merge(...parts: readonly (readonly SeenRequest[])[]): readonly SeenRequest[] {
  const byId = new Map(parts.flat().map((each) => [each.id, each]));
  return [...byId.values()].sort((one, other) => other.id - one.id).slice(0, shownMax);
}

/** True when a request matches the filters, as on the server. */
function fits(
  { path, route, request_id, username, ...seen }: SeenRequest,
  { method, status, search }: Filter,
): boolean {
  if (method !== undefined && seen.method !== method) return false;
  if (status !== undefined && Math.floor(seen.status / 100) !== Number(status[0])) return false;
  if (search === undefined) return true;
  return [path, route, request_id, username].some((text) => text?.toLowerCase().includes(search.toLowerCase()));
}

function RequestTable({ rows, isLoading }: { readonly rows: readonly SeenRequest[]; readonly isLoading: boolean }) {
  return (
    <section class="list" aria-label="Requests">
      <Table
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={isLoading}
        columns={[
          { head: "When", cell: ({ at }) => <Moment at={at} isPrecise /> },
          { head: "Method", cell: ({ method }) => method },
          {
            head: "Path",
            cell: ({ id, path, route }) => (
              <button type="button" class="quiet long" onClick={() => setQuery({ open: String(id) })}>
                {path || route}
              </button>
            ),
          },
          {
            head: "Status",
            cell: ({ status }) => <span class={status >= 400 ? "tag warning" : ""}>{status}</span>,
          },
          { head: "Time", cell: (row) => <span class="figure">{durationText(row.duration_ms)}</span> },
          { head: "User", cell: ({ username }) => <bdi>{username ?? "nobody"}</bdi> },
        ]}
      />
      {!isLoading && rows.length === 0 && (
        <p class="empty">
          No such request was answered yet: <code>outpost api GET /version</code>
        </p>
      )}
    </section>
  );
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
