import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { Table } from "../../parts/table.tsx";
import { hrefOf, place } from "../../state/router.ts";
import { showDone } from "../../state/toasts.ts";

/** The application settings, each with its own button. */
export default function Settings() {
  const ask = () => answerOf(client.GET("/api/v4/application/settings"));
  const { data: settings, refusal, reload } = useAnswer("settings", ask);
  const [changing, setChanging] = useState<string>();
  const search = (place.value.query.get("search") ?? "").toLowerCase().replaceAll(" ", "_");
  const found = Object.entries(settings ?? {}).filter(([name]) => name.includes(search));
  return (
    <>
      <h1>Application settings</h1>
      <p>
        They are in the store, and each change holds at once.{" "}
        <a href={hrefOf("/settings/start")}>Settings of the start</a> are flags and variables.
      </p>
      <search class="filters">
        <SearchField />
        <ApiButton call={{ method: "GET", address: "/api/v4/application/settings" }} />
      </search>
      <Refusal text={refusal} />
      <Table
        rows={found}
        keyOf={([name]) => name}
        isLoading={settings === undefined && refusal === ""}
        columns={[
          { head: "Setting", cell: ([name]) => <span class="long">{name.replaceAll("_", " ")}</span> },
          { head: "Value", cell: ([, value]) => <bdi class="long">{valueText(value)}</bdi> },
          {
            head: "Actions",
            cell: ([name]) => (
              <button type="button" onClick={() => setChanging(name)} aria-label={`Change ${name}`}>
                Change
              </button>
            ),
          },
        ]}
      />
      {settings !== undefined && found.length === 0 && (
        <p class="empty">No setting has this in its name. Search for less.</p>
      )}
      {changing !== undefined && (
        <Dialog title={changing.replaceAll("_", " ")} onClose={() => setChanging(undefined)}>
          <SchemaForm
            method="put"
            path="/api/v4/application/settings"
            fields={{ [changing]: "Value" }}
            initial={{ [changing]: initialOf(Object.entries(settings ?? {}), changing) }}
            action="Change"
            onAnswer={() => {
              setChanging(undefined);
              showDone("The setting is changed");
              reload();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === "") return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function initialOf(settings: readonly (readonly [string, unknown])[], wanted: string): unknown {
  const [, value] = settings.find(([name]) => name === wanted) ?? [];
  return value === null ? undefined : value;
}
