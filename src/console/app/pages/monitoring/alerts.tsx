import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { CopyButton } from "../../parts/buttons/copy-button.tsx";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { hrefOf, place, setQuery } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";
import { AlertDialog } from "./alert-dialog.tsx";

type Alert = ItemOf<"/api/v4/projects/{id}/alert_management_alerts">;
type Integration = ItemOf<"/api/v4/projects/{id}/alert_management_http_integrations">;
/** The alerts of a project, and their integrations. */
export default function Alerts({ params }: PageProps) {
  const id = Number(params.id);
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  return (
    <>
      <ProjectHead id={id} title="Alerts" />
      <AlertList id={id} version={version} onChange={reload} />
      <h2>Integrations</h2>
      <Integrations id={id} onAlert={reload} />
    </>
  );
}

interface AlertListProps {
  readonly id: number;
  readonly version: number;
  readonly onChange: () => void;
}

const nextStatus = { triggered: "acknowledged", acknowledged: "resolved" } as const;
const verbs = { acknowledged: "Acknowledge", resolved: "Resolve" } as const;

const statuses = {
  "": "All",
  triggered: "Triggered",
  acknowledged: "Acknowledged",
  resolved: "Resolved",
  ignored: "Ignored",
} as const;

function AlertList({ id, version, onChange }: AlertListProps) {
  const status = choiceOf("status", statuses);
  const search = place.value.query.get("search") ?? "";
  const open = place.value.query.get("open") ?? "";
  const at = ({ iid }: Alert) => ({ path: { id, alert_iid: iid } });
  const act = (text: string, call: () => Promise<unknown>) =>
    attempt(async () => {
      await call();
      showDone(text);
      onChange();
    });
  const setStatus = (alert: Alert, status: "acknowledged" | "resolved") =>
    act(`The alert is ${status}`, () =>
      client.PUT("/api/v4/projects/{id}/alert_management_alerts/{alert_iid}", {
        params: at(alert),
        body: { status },
      }),
    );
  const openIncident = (alert: Alert) =>
    act("The incident is open", () =>
      client.POST("/api/v4/projects/{id}/alert_management_alerts/{alert_iid}/incident", { params: at(alert) }),
    );
  const list = (
    <KeysetList
      label="Alerts"
      path="/api/v4/projects/{id}/alert_management_alerts"
      values={{ id }}
      query={{
        per_page: 50,
        ...(status === "" ? {} : { "status[]": [status] }),
        ...(search === "" ? {} : { search }),
      }}
      version={version}
      keyOf={({ iid }) => iid}
      empty={
        <p>
          No alert fits. Create an integration below, and send a test alert:{" "}
          <code>outpost api POST /projects/{id}/alert_management_alerts -F title=Disk</code>
        </p>
      }
      columns={[
        { head: "Alert", cell: ({ title }) => <bdi>{title}</bdi> },
        { head: "Severity", cell: ({ severity }) => severity },
        {
          head: "Status",
          cell: ({ status }) => <span class={status === "triggered" ? "tag warning" : "tag"}>{status}</span>,
        },
        { head: "Events", cell: ({ event_count }) => event_count },
        { head: "Started", cell: ({ started_at }) => <Moment at={started_at} /> },
        {
          head: "Actions",
          cell: (alert) => {
            const next = nextStatus[alert.status as keyof typeof nextStatus];
            return (
              <span class="actions">
                <button type="button" class="quiet" onClick={() => setQuery({ open: String(alert.iid) })}>
                  Show
                </button>
                {next !== undefined && (
                  <button type="button" onClick={() => void setStatus(alert, next)}>
                    {verbs[next]}
                  </button>
                )}
                {alert.issue_iid === null ? (
                  <button type="button" onClick={() => void openIncident(alert)}>
                    Open an incident
                  </button>
                ) : (
                  <a href={hrefOf(`/projects/${id}/issues/${alert.issue_iid}`)}>Incident</a>
                )}
              </span>
            );
          },
        },
      ]}
    />
  );
  return (
    <>
      <search class="filters">
        <SearchField />
        <ChoiceField name="status" label="Status" choices={statuses} />
      </search>
      {list}
      {open !== "" && <AlertDialog projectId={id} iid={Number(open)} onClose={() => setQuery({ open: "" })} />}
    </>
  );
}

function Integrations({ id, onAlert }: { readonly id: number; readonly onAlert: () => void }) {
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState<Integration>();
  const test = ({ id: integration_id }: Integration) =>
    attempt(async () => {
      await client.POST("/api/v4/projects/{id}/alert_management_http_integrations/{integration_id}/test_alert", {
        params: { path: { id, integration_id } },
        body: { payload: { title: "Test alert", severity: "low", description: "Sent from the console." } },
      });
      showDone("The test alert is sent");
      onAlert();
    });
  return (
    <>
      <div class="actions">
        <FormButton
          label="New integration"
          method="post"
          path="/api/v4/projects/{id}/alert_management_http_integrations"
          values={{ id }}
          fields={{ name: "Name", type: "Type" }}
          action="Create"
          done="The integration is created"
          onDone={() => setVersion((before) => before + 1)}
        />
      </div>
      <KeysetList
        label="Integrations"
        path="/api/v4/projects/{id}/alert_management_http_integrations"
        values={{ id }}
        version={version}
        keyOf={(integration) => integration.id}
        empty={
          <p>
            A monitoring tool needs an integration, with its address and its key:{" "}
            <code>outpost api POST /projects/{id}/alert_management_http_integrations -F name=Prometheus</code>
          </p>
        }
        columns={[
          { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
          { head: "Type", cell: ({ type }) => type },
          { head: "Active", cell: ({ active }) => (active ? "yes" : "no") },
          {
            head: "Actions",
            cell: (integration) => (
              <span class="actions">
                <button type="button" onClick={() => setShown(integration)}>
                  Address and key
                </button>
                <button type="button" onClick={() => void test(integration)}>
                  Send a test alert
                </button>
              </span>
            ),
          },
        ]}
      />
      {shown !== undefined && (
        <Dialog title={shown.name} onClose={() => setShown(undefined)}>
          <Facts
            of={[
              ["Address", shown.url],
              ["Key", shown.token],
            ]}
          />
          <p>As a command that sends an alert:</p>
          <textarea class="code" rows={4} readOnly aria-label="Command" value={sendingCommand(shown)} />
          <div class="actions">
            <CopyButton text={shown.url} label="Copy the address" />
            <CopyButton text={shown.token} label="Copy the key" />
            <CopyButton text={sendingCommand(shown)} label="Copy the command" />
          </div>
        </Dialog>
      )}
    </>
  );
}

function sendingCommand({ url, token }: Integration): string {
  return `curl -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"title":"Disk is full"}' '${url}'`;
}
