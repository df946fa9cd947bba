import { useState } from "preact/hooks";
import { addressOf, type ItemOf } from "../../api/paths.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { place, setQuery } from "../../state/router.ts";
import { AuditDays } from "./audit-days.tsx";

type AuditEvent = ItemOf<"/api/v4/audit_events">;

const kinds = { "": "Everything", User: "Users", Group: "Groups", Project: "Projects" } as const;

/** The audit events of the instance, newest first. */
export default function Audit() {
  const [shown, setShown] = useState<AuditEvent>();
  const kind = choiceOf("kind", kinds);
  const from = place.value.query.get("from") ?? "";
  const to = place.value.query.get("to") ?? "";
  const range = {
    ...(from === "" ? {} : { created_after: `${from}T00:00:00Z` }),
    ...(to === "" ? {} : { created_before: `${to}T23:59:59Z` }),
  };
  const file = (format: string) => addressOf("/-/audit-events/export", {}, { format, ...range });
  return (
    <>
      <div class="page-head">
        <h1>Audit events</h1>
        <span class="actions">
          <a href={file("csv")} download="audit-events.csv">
            CSV
          </a>
          <a href={file("jsonl")} download="audit-events.jsonl">
            JSON lines
          </a>
        </span>
      </div>
      <AuditDays entityType={kind} />
      <search class="filters">
        <ChoiceField name="kind" label="About" choices={kinds} />
        <Day name="from" label="From" value={from} />
        <Day name="to" label="To" value={to} />
      </search>
      <KeysetList
        label="Audit events"
        path="/api/v4/audit_events"
        query={{ ...range, ...(kind === "" ? {} : { entity_type: kind }), pagination: "keyset", per_page: 50 }}
        keyOf={({ id }) => id}
        empty={
          <p>
            Nothing was recorded in these days. Changes of people, rights and settings are, for example:{" "}
            <code>outpost api POST /groups -F name=Skylark -F path=skylark</code>
          </p>
        }
        columns={[
          { head: "When", cell: ({ created_at }) => <Moment at={created_at} /> },
          { head: "Who", cell: ({ author_name }) => <bdi>{author_name}</bdi> },
          { head: "What", cell: ({ event_name }) => <span class="long">{event_name.replaceAll("_", " ")}</span> },
          { head: "Where", cell: ({ entity_path, entity_type }) => <bdi>{entity_path || entity_type}</bdi> },
          {
            head: "Details",
            cell: (event) => (
              <button type="button" class="quiet" onClick={() => setShown(event)}>
                Show
              </button>
            ),
          },
        ]}
      />
      {shown !== undefined && <Details of={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Day({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) {
  return (
    <label>
      {label}{" "}
      <input type="date" value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })} />
    </label>
  );
}

function Details({ of: event, onClose }: { readonly of: AuditEvent; readonly onClose: () => void }) {
  return (
    <Dialog title={event.event_name.replaceAll("_", " ")} onClose={onClose}>
      <Facts
        of={[
          ["Event", event.id],
          ["When (UTC)", event.created_at],
          ["Who", `${event.author_name} (${event.author_id})`],
          ["Address", event.ip_address ?? "none"],
          ["Where", `${event.entity_type} ${event.entity_id} ${event.entity_path}`],
        ]}
      />
      <textarea class="code" rows={12} readOnly aria-label="Details" value={JSON.stringify(event.details, null, 2)} />
    </Dialog>
  );
}
