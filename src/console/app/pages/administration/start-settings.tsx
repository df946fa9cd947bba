import { answerOf, client } from "../../api/client.ts";
import { addressOf, type ItemOf } from "../../api/paths.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { Table } from "../../parts/table.tsx";
import { hrefOf, place } from "../../state/router.ts";

type StartSetting = ItemOf<"/-/settings">;

const origins = { "": "All", flag: "Flags", variable: "Variables", default: "Defaults" } as const;

/** The settings of the server process, with their sources. */
export default function StartSettings() {
  const { data: settings, refusal } = useAnswer("start settings", () => answerOf(client.GET("/-/settings")));
  const from = choiceOf("from", origins);
  const search = (place.value.query.get("search") ?? "").toLowerCase();
  const found = (settings ?? []).filter(
    (each) => (from === "" || each.from === from) && `${each.name} ${each.help}`.toLowerCase().includes(search),
  );
  return (
    <>
      <h1>Settings of the start</h1>
      <p>
        A change needs another start of the server. <a href={hrefOf("/settings")}>Application settings</a> change at
        once.
      </p>
      <search class="filters">
        <SearchField />
        <ChoiceField name="from" label="From" choices={origins} />
        <ApiButton call={{ method: "GET", address: addressOf("/-/settings") }} />
      </search>
      <Refusal text={refusal} />
      <Table
        rows={found}
        keyOf={({ name }) => name}
        isLoading={settings === undefined && refusal === ""}
        columns={[
          { head: "Setting", cell: ({ name }) => name },
          { head: "Value", cell: (setting) => <bdi class="long">{valueText(setting)}</bdi> },
          {
            head: "From",
            cell: (setting) => <span class={setting.from === "default" ? "weak" : "tag"}>{setting.from}</span>,
          },
          {
            head: "Set it by",
            cell: ({ flag, variable }) => (
              <>
                <code>{flag}</code> or <code class="long">{variable}</code>
              </>
            ),
          },
          { head: "What it is", cell: ({ help }) => <span class="long">{help}</span> },
        ]}
      />
      {settings !== undefined && found.length === 0 && <p class="empty">No setting is like that. Search for less.</p>}
    </>
  );
}

function valueText({ value, is_hidden }: StartSetting): string {
  if (is_hidden) return "hidden";
  if (value === null) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
