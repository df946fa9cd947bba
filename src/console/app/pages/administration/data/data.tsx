import { answerOf, client } from "../../../api/client.ts";
import { addressOf } from "../../../api/paths.ts";
import { ApiButton } from "../../../parts/buttons/api-button.tsx";
import { SearchField } from "../../../parts/filters.tsx";
import { useAnswer } from "../../../parts/hooks/use-answer.ts";
import { bytesText, Figure } from "../../../parts/moment.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { Table } from "../../../parts/table.tsx";
import { hrefOf, place } from "../../../state/router.ts";

/** The collections of the store with their sizes. */
export default function Data() {
  const { data: collections, refusal } = useAnswer("data", () => answerOf(client.GET("/-/data")));
  const search = (place.value.query.get("search") ?? "").toLowerCase().replaceAll(" ", "-");
  const found = (collections ?? []).filter(({ name }) => name.includes(search));
  return (
    <>
      <h1>Data</h1>
      <p>
        Collections of the store, to read. Sizes are those of the files; the newest changes are in the journal only.
      </p>
      <search class="filters">
        <SearchField />
        <ApiButton call={{ method: "GET", address: addressOf("/-/data") }} />
      </search>
      <Refusal text={refusal} />
      <Table
        rows={found}
        keyOf={({ name }) => name}
        isLoading={collections === undefined && refusal === ""}
        columns={[
          {
            head: "Collection",
            cell: ({ name, is_secret }) =>
              is_secret ? (
                <>
                  {name} <span class="tag">secret</span>
                </>
              ) : (
                <a href={hrefOf(`/data/${name}`)}>{name}</a>
              ),
          },
          { head: "Documents", cell: ({ documents }) => <Figure of={documents} /> },
          { head: "On the disk", cell: ({ bytes }) => bytesText(bytes) },
          { head: "Kind", cell: ({ kind }) => kind },
        ]}
      />
      {collections !== undefined && found.length === 0 && (
        <p class="empty">No collection has this in its name. Search for less.</p>
      )}
    </>
  );
}
