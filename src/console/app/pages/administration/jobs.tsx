import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { attempt, showDone } from "../../state/toasts.ts";

const states = { "": "All", queued: "Queued", running: "Running", failed: "Failed" } as const;

/** The background jobs of the server. */
export default function Jobs() {
  const state = choiceOf("state", states);
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
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
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            No such job is there. Storage moves and deletions of groups are some, for example:{" "}
            <code>outpost api POST /project_repository_storage_moves -F source_storage_name=default</code>
          </p>
        }
        columns={[
          { head: "Kind", cell: ({ kind }) => kind.replaceAll("_", " ") },
          {
            head: "State",
            cell: ({ state: own }) => <span class={own === "failed" ? "tag warning" : ""}>{own}</span>,
          },
          { head: "Attempts", cell: ({ attempts }) => attempts },
          { head: "Due", cell: ({ due_at }) => <Moment at={due_at} /> },
          { head: "Last error", cell: ({ last_error }) => <span class="long">{last_error ?? ""}</span> },
          { head: "Actions", cell: (job) => job.state === "failed" && <Actions of={job} onDone={reload} /> },
        ]}
      />
    </>
  );
}

interface ActionsProps {
  readonly of: ItemOf<"/-/jobs">;
  readonly onDone: () => void;
}

/** The administrator's actions for a failed job. */
function Actions({ of: { id }, onDone }: ActionsProps) {
  const at = { params: { path: { id } } };
  const act = (text: string, call: () => Promise<unknown>) =>
    attempt(async () => {
      await call();
      showDone(text);
      onDone();
    });
  return (
    <span class="actions">
      <button
        type="button"
        onClick={() => void act("The job starts again", () => client.POST("/-/jobs/{id}/retry", at))}
      >
        Retry
      </button>
      <button
        type="button"
        class="danger"
        onClick={() => void act("The job is forgotten", () => client.DELETE("/-/jobs/{id}", at))}
      >
        Forget
      </button>
    </span>
  );
}
