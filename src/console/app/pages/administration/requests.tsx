import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { curlOf, type ShownCall } from "../../api/curl.ts";
import type { ItemOf } from "../../api/paths.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { bytesText, Figure, Moment } from "../../parts/moment.tsx";
import { useInterval } from "../../parts/use-interval.ts";
import { attempt } from "../../state/toasts.ts";

type Recent = ItemOf<"/-/requests">;

const methods = { "": "all", GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" } as const;
const classes = { "": "all", "2xx": "2xx", "3xx": "3xx", "4xx": "4xx: refused", "5xx": "5xx: failed" } as const;
const everyMs = 2_000;

/** The last requests as they come, and why one was refused. */
export default function Requests() {
  const [version, setVersion] = useState(0);
  const [isFollowing, setFollowing] = useState(false);
  const [shown, setShown] = useState<Recent>();
  const reload = () => setVersion((before) => before + 1);
  useInterval(everyMs, isFollowing && shown === undefined, reload);
  const [method, status] = [choiceOf("method", methods), choiceOf("status", classes)];
  return (
    <>
      <h1>Requests</h1>
      <search class="filters">
        <ChoiceField name="method" label="Method" choices={methods} />
        <ChoiceField name="status" label="Status" choices={classes} />
        <label>
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
          />{" "}
          Follow
        </label>
        <button type="button" onClick={reload}>
          Look again
        </button>
      </search>
      <KeysetList
        label="Requests"
        path="/-/requests"
        query={{ per_page: 50, ...(method === "" ? {} : { method }), ...(status === "" ? {} : { status }) }}
        version={version}
        keyOf={({ id }) => id}
        empty={<p>No request of this kind since the start of the server.</p>}
        columns={[
          { head: "Time", cell: ({ answered_at }) => <Moment at={answered_at} /> },
          { head: "Status", cell: (recent) => <span class={tagOf(recent)}>{recent.status}</span> },
          { head: "Method", cell: (recent) => recent.method },
          { head: "Path", cell: ({ path }) => <span class="long">{path}</span> },
          { head: "User", cell: ({ user }) => <bdi>{user ?? ""}</bdi> },
          { head: "Milliseconds", cell: ({ duration_ms }) => <Figure of={duration_ms} /> },
          {
            head: "Details",
            cell: (recent) => (
              <button type="button" class="quiet" onClick={() => setShown(recent)}>
                Open
              </button>
            ),
          },
        ]}
      />
      {shown !== undefined && <Details of={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface DetailsProps {
  readonly of: Recent;
  readonly onClose: () => void;
}

function Details({ of: shown, onClose }: DetailsProps) {
  const [answer, setAnswer] = useState("");
  const address = shown.path;
  const command = curlOf({ method: shown.method as ShownCall["method"], address });
  const repeat = () =>
    attempt(async () => {
      const response = await send(new URL(address, location.origin).href);
      setAnswer(`${response.status}\n\n${await response.text()}`);
    });
  return (
    <Dialog title={`${shown.method} ${shown.path}`} onClose={onClose}>
      {shown.reason !== null && <p class="refusal">Refused: {shown.reason}</p>}
      <Facts
        of={[
          ["Status", shown.status],
          ["Operation", shown.route ?? "none"],
          ["User", shown.user ?? "nobody"],
          ["Parameters", shown.parameters.join(", ") || "none"],
          ["Body", bytesText(shown.size)],
          [
            "Request id",
            <span key="id" class="long">
              {shown.request_id}
            </span>,
          ],
        ]}
      />
      <p>Values of parameters are not kept; what may be a token is left out of the path.</p>
      <textarea class="code" rows={3} readOnly aria-label="Command" value={command} />
      <div class="actions">
        <CopyButton text={command} />
        {shown.method === "GET" && !address.includes("…") && (
          <button type="button" onClick={() => void repeat()}>
            Repeat as you
          </button>
        )}
      </div>
      {answer !== "" && <textarea class="code" rows={10} readOnly aria-label="Answer" value={answer} />}
    </Dialog>
  );
}

function tagOf({ status }: Recent): string {
  return status >= 400 ? "tag warning" : "tag";
}
