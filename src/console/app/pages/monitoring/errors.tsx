import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Figure, Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { place, setQuery } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type ErrorEvent = ItemOf<"/api/v4/projects/{id}/error_tracking/errors/{error_id}/events">;
type TrackedError = ItemOf<"/api/v4/projects/{id}/error_tracking/errors">;

const statuses = { unresolved: "Unresolved", resolved: "Resolved", ignored: "Ignored", all: "All" } as const;

/** The errors that a project's programs have reported. */
export default function Errors({ params }: PageProps) {
  const id = Number(params.id);
  const [version, setVersion] = useState(0);
  const open = place.value.query.get("open") ?? "";
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
      <ProjectHead id={id} title="Errors">
        <FormButton
          label="Error tracking"
          method="put"
          path="/api/v4/projects/{id}/error_tracking/settings"
          values={{ id }}
          fields={{ active: "Programs may report", integrated: "This server keeps what they report" }}
          initial={{ active: true, integrated: true }}
          action="Store"
          done="The setting is stored"
          onDone={() => setVersion(version + 1)}
        />
      </ProjectHead>
      <search class="filters">
        <ChoiceField name="status" label="Status" choices={statuses} />
      </search>
      <KeysetList
        label="Errors"
        path="/api/v4/projects/{id}/error_tracking/errors"
        values={{ id }}
        query={{ per_page: 50, status: choiceOf("status", statuses) }}
        version={version}
        keyOf={(error) => error.id}
        empty={
          <p>
            No error is in this state. A Sentry SDK reports with a key: <code>outpost help clients</code>
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
                <button type="button" onClick={() => setQuery({ open: String(error.id) })}>
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
      {open !== "" && <ErrorDialog projectId={id} errorId={Number(open)} onClose={() => setQuery({ open: "" })} />}
    </>
  );
}

interface ErrorProps {
  readonly projectId: number;
  readonly errorId: number;
}

function ErrorDialog({ onClose, ...error }: ErrorProps & { readonly onClose: () => void }) {
  const path = { id: error.projectId, error_id: error.errorId };
  const { data, refusal } = useAnswer(`error ${path.id} ${path.error_id}`, () =>
    answerOf(client.GET("/api/v4/projects/{id}/error_tracking/errors/{error_id}", { params: { path } })),
  );
  return (
    <Dialog title={data?.title ?? `Error ${error.errorId}`} onClose={onClose}>
      <Refusal text={refusal} />
      {data !== undefined && <Occurrences {...error} />}
    </Dialog>
  );
}

/** The occurrences of an error, newest first. */
function Occurrences({ projectId, errorId }: ErrorProps) {
  return (
    <KeysetList
      label="Occurrences"
      path="/api/v4/projects/{id}/error_tracking/errors/{error_id}/events"
      values={{ id: projectId, error_id: errorId }}
      query={{ per_page: 20 }}
      keyOf={({ id }) => id}
      empty={
        <p>
          The events of this error were removed; its count stays. The next one comes from a Sentry SDK:{" "}
          <code>outpost help clients</code>
        </p>
      }
      columns={[
        { head: "Received", cell: ({ date_received }) => <Moment at={date_received} isPrecise /> },
        {
          head: "Where",
          cell: ({ environment, release }) => [environment, release].filter(Boolean).join(", ") || "not said",
        },
        {
          head: "What",
          cell: (event) => (
            <details>
              <summary>
                <bdi>{event.description}</bdi>
              </summary>
              <pre class="code text">{stackText(event.stack_trace_entries)}</pre>
            </details>
          ),
        },
      ]}
    />
  );
}

/** Formats frames as usual: the newest call first, each with its source line. */
function stackText(frames: ErrorEvent["stack_trace_entries"]): string {
  if (frames.length === 0) return "No stack trace was sent.";
  return frames
    .toReversed()
    .map(({ function: name, filename, lineNo, context }) => {
      const source = context.find(([line]) => line === lineNo)?.[1];
      const where = `${name ?? "?"} (${filename ?? "?"}${lineNo === null ? "" : `:${lineNo}`})`;
      return source === undefined ? where : `${where}\n    ${String(source).trim()}`;
    })
    .join("\n");
}
