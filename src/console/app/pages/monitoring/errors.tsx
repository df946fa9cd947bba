import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Figure, Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type TrackedError = ItemOf<"/api/v4/projects/{id}/error_tracking/errors">;

/** Errors that the project's programs have reported. */
export default function Errors({ params }: PageProps) {
  const id = Number(params.id);
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState<TrackedError>();
  const resolve = ({ id: error_id }: TrackedError) =>
    attempt(async () => {
      await client.PUT("/api/v4/projects/{id}/error_tracking/errors/{error_id}", {
        params: { path: { id, error_id } },
        body: { status: "resolved" },
      });
      showDone("The error is resolved");
      setVersion(version + 1);
    });
  return (
    <>
      <ProjectHead id={id} title="Errors" />
      <KeysetList
        label="Errors"
        path="/api/v4/projects/{id}/error_tracking/errors"
        values={{ id }}
        query={{ per_page: 50 }}
        version={version}
        keyOf={(error) => error.id}
        empty={
          <p>
            No error was reported yet. A Sentry SDK reports with a key: <code>outpost help clients</code>
          </p>
        }
        columns={[
          { head: "Error", cell: ({ title }) => <bdi>{title}</bdi> },
          { head: "Where", cell: ({ culprit }) => <bdi class="long">{culprit}</bdi> },
          { head: "Times", cell: ({ count }) => <Figure of={count} /> },
          { head: "Last", cell: ({ last_seen }) => <Moment at={last_seen} /> },
          { head: "Status", cell: ({ status }) => status },
          {
            head: "Actions",
            cell: (error) => (
              <span class="actions">
                <button type="button" onClick={() => setShown(error)}>
                  Show
                </button>
                {error.status === "unresolved" && (
                  <button type="button" onClick={() => void resolve(error)}>
                    Resolve
                  </button>
                )}
              </span>
            ),
          },
        ]}
      />
      {shown !== undefined && (
        <Dialog title={shown.title} onClose={() => setShown(undefined)}>
          <LatestEvent projectId={id} errorId={shown.id} />
        </Dialog>
      )}
    </>
  );
}

function LatestEvent({ projectId, errorId }: { readonly projectId: number; readonly errorId: number }) {
  const { data: event, refusal } = useAnswer(`${errorId}`, () =>
    answerOf(
      client.GET("/api/v4/projects/{id}/error_tracking/errors/{error_id}/events/latest", {
        params: { path: { id: projectId, error_id: errorId } },
      }),
    ),
  );
  if (event === undefined) return refusal === "" ? <p role="status">Loading…</p> : <Refusal text={refusal} />;
  return (
    <>
      <Facts
        of={[
          ["What", event.description],
          ["Environment", event.environment ?? "not said"],
          ["Release", event.release ?? "not said"],
          ["Received", <Moment key="received" at={event.date_received} />],
        ]}
      />
      <textarea
        class="code"
        rows={14}
        readOnly
        aria-label="Stack trace"
        value={JSON.stringify(event.stack_trace_entries, null, 2)}
      />
    </>
  );
}
