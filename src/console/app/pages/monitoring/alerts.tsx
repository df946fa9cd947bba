import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { paths } from "../../api/generated.d.ts";
import type { ItemOf } from "../../api/paths.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { hrefOf } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Alert = ItemOf<"/api/v4/projects/{id}/alert_management_alerts">;
type Integration = ItemOf<"/api/v4/projects/{id}/alert_management_http_integrations">;
type NewIntegration = NonNullable<
  paths["/api/v4/projects/{id}/alert_management_http_integrations"]["post"]["requestBody"]
>["content"]["application/json"];

/** Alerts of one project, and the integrations that receive them. */
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

function AlertList({ id, version, onChange }: AlertListProps) {
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
  return (
    <KeysetList
      label="Alerts"
      path="/api/v4/projects/{id}/alert_management_alerts"
      values={{ id }}
      query={{ per_page: 50 }}
      version={version}
      keyOf={({ iid }) => iid}
      empty={<p>No alert came yet. Create an integration below, and send a test alert.</p>}
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
}

function Integrations({ id, onAlert }: { readonly id: number; readonly onAlert: () => void }) {
  const [version, setVersion] = useState(0);
  const [isCreating, setCreating] = useState(false);
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
        <button type="button" onClick={() => setCreating(true)}>
          New integration
        </button>
      </div>
      <KeysetList
        label="Integrations"
        path="/api/v4/projects/{id}/alert_management_http_integrations"
        values={{ id }}
        version={version}
        keyOf={(integration) => integration.id}
        empty={<p>A monitoring tool needs an integration: its address and its key.</p>}
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
          <div class="actions">
            <CopyButton text={shown.url} />
          </div>
        </Dialog>
      )}
      {isCreating && (
        <Dialog title="New integration" onClose={() => setCreating(false)}>
          <SchemaForm
            method="post"
            path="/api/v4/projects/{id}/alert_management_http_integrations"
            fields={{ name: "Name", type: "Type" }}
            action="Create"
            onSubmit={async (values) => {
              await client.POST("/api/v4/projects/{id}/alert_management_http_integrations", {
                params: { path: { id } },
                body: values as NewIntegration,
              });
              setCreating(false);
              setVersion(version + 1);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
