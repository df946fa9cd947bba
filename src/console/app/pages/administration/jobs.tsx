import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";

const states = { "": "All", queued: "Queued", running: "Running", failed: "Failed" } as const;

/** Background jobs of the server. */
export default function Jobs() {
  const state = choiceOf("state", states);
  return (
    <>
      <h1>Background jobs</h1>
      <search class="filters">
        <ChoiceField name="state" label="State" choices={states} />
      </search>
      <KeysetList
        label="Background jobs"
        path="/-/jobs"
        query={{ ...(state === "" ? {} : { state }), per_page: 50 }}
        keyOf={({ id }) => id}
        empty={<p>No work of the server's own is under way. Storage moves and deletions are such work.</p>}
        columns={[
          { head: "Kind", cell: ({ kind }) => kind.replaceAll("_", " ") },
          {
            head: "State",
            cell: ({ state: own }) => <span class={own === "failed" ? "tag warning" : ""}>{own}</span>,
          },
          { head: "Attempts", cell: ({ attempts }) => attempts },
          { head: "Due", cell: ({ due_at }) => <Moment at={due_at} /> },
          { head: "Last error", cell: ({ last_error }) => <span class="long">{last_error ?? ""}</span> },
        ]}
      />
    </>
  );
}
