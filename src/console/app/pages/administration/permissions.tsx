import { useState } from "preact/hooks";
import { addressOf } from "../../api/paths.ts";
import { type DescribedOperation, operationsInDocument } from "../../api/schemas.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { Table } from "../../parts/table.tsx";
import { basePath } from "../../state/base.ts";
import { place } from "../../state/router.ts";
import { type CallerKind, callers, type Mark, markOf } from "./permission-marks.ts";

/** The number of rows that render at once without a delay. */
const rowsAtFirst = 40;

const kinds = Object.keys(callers) as CallerKind[];
const labels = Object.fromEntries(kinds.map((kind) => [kind, callers[kind].label])) as Record<CallerKind, string>;
const choices = { "": "All", ...labels } as const;

/** The table of operations and the callers who may call them. */
export default function Permissions() {
  const { data: operations, refusal } = useAnswer("operations", operationsInDocument);
  const [isWhole, setWhole] = useState(false);
  const words = (place.value.query.get("search") ?? "").toLowerCase().split(" ").filter(Boolean);
  const caller = choiceOf("caller", choices);
  const found = (operations ?? []).filter((each) => {
    const text = `${each.method} ${each.path} ${each.summary} ${each.tag} ${each.edition}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (caller === "" || markOf(caller, each) !== "no");
  });
  const shown = isWhole ? found : found.slice(0, rowsAtFirst);
  return (
    <>
      <h1>Permissions</h1>
      <p>
        What the server asks of a caller first. Roles are those in the group or project of the path. Some operations
        look further, as the reference says.
      </p>
      <search class="filters">
        <SearchField />
        <ChoiceField name="caller" label="Open to" choices={choices} />
      </search>
      <Refusal text={refusal} />
      <section class="list marks" aria-label="Permissions">
        <div class="list-tools">
          <ApiButton call={{ method: "GET", address: addressOf("/-/openapi.json") }} />
        </div>
        <Table
          isLoading={operations === undefined && refusal === ""}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            { head: "Operation", cell: (each) => <Described of={each} /> },
            ...kinds.map((kind) => ({
              head: labels[kind],
              cell: (each: DescribedOperation) => <Shown mark={markOf(kind, each)} />,
            })),
          ]}
        />
      </section>
      {shown.length < found.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {found.length} operations
        </button>
      )}
      {operations !== undefined && found.length === 0 && <p class="empty">No operation fits. Search for less.</p>}
    </>
  );
}

function Described({ of: { id, tag, method, path, summary, scopes, edition } }: { readonly of: DescribedOperation }) {
  return (
    <div>
      <a class="long" href={`${basePath}/-/api#/${encodeURIComponent(tag)}/${id}`}>
        {method} {path}
      </a>
      <span class="help">
        {summary}. Scopes: {scopes}.{edition === "community" ? "" : ` From the edition ${edition} upwards.`}
      </span>
    </div>
  );
}

/** A symbol, with a word for screen readers. */
function Shown({ mark }: { readonly mark: Mark }) {
  if (mark === "if visible") return <>{mark}</>;
  return (
    <>
      <span aria-hidden="true" class={mark === "yes" ? "good" : "weak"}>
        {mark === "yes" ? "✓" : "–"}
      </span>
      <span class="heard">{mark}</span>
    </>
  );
}
