import { KeysetList } from "../../parts/keyset-list.tsx";
import { Figure, Moment } from "../../parts/moment.tsx";

/** Calls without an operation, which some client expects. */
export default function UnknownCalls() {
  return (
    <>
      <h1>Unknown calls</h1>
      <p>Clients made these calls, and the API has no operation for them. The count begins with the server.</p>
      <KeysetList
        label="Unknown calls"
        path="/-/unknown-calls"
        keyOf={({ method, path }) => `${method} ${path}`}
        empty={
          <p>
            Every call so far was one that the API has. This one is not: <code>outpost api GET /weather</code>
          </p>
        }
        columns={[
          { head: "Method", cell: ({ method }) => method },
          { head: "Path", cell: ({ path }) => <span class="long">{path}</span> },
          { head: "Count", cell: ({ count }) => <Figure of={count} /> },
          { head: "Last", cell: ({ last_at }) => <Moment at={last_at} /> },
        ]}
      />
    </>
  );
}
