import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { addressOf } from "../../api/paths.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { bytesText, Moment } from "../../parts/moment.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { Table } from "../../parts/table.tsx";
import { attempt, showDone } from "../../state/toasts.ts";

type Folder = components["schemas"]["BackupFolder"];
type Archive = components["schemas"]["BackupArchive"];

const progressMs = 1_000;

/** The archives in the backup folder, with a button to make one. */
export default function Backups() {
  const { data, refusal, reload } = useAnswer("backups", () => answerOf(client.GET("/-/backups")));
  const isRunning = data !== undefined && data.running !== null;
  useInterval(progressMs, isRunning, reload);
  const make = () =>
    attempt(async () => {
      await client.POST("/-/backups");
      reload();
    });
  return (
    <>
      <div class="page-head">
        <h1>Backups</h1>
        <button type="button" disabled={data === undefined || isRunning} onClick={() => void make()}>
          Make a backup
        </button>
      </div>
      <Refusal text={refusal} />
      {data !== undefined && <State of={data} />}
      <Archives archives={data?.archives} onChange={reload} />
      <Restoring name={data?.archives[0]?.name} folder={data?.folder} />
    </>
  );
}

function State({ of: { folder, schedule, keep, running, last_error } }: { readonly of: Folder }) {
  return (
    <>
      <Facts
        of={[
          ["Folder", folder],
          [
            "Schedule",
            schedule === null ? "none: --backup-schedule makes one" : <code key="cron">{schedule} (UTC)</code>,
          ],
          ["Kept", `the newest ${keep}, when a scheduled one is added`],
        ]}
      />
      {running !== null && (
        <p role="status">
          <label>
            {running.name} is being made: {bytesText(running.done_bytes)}
            {running.total_bytes !== null && ` of ${bytesText(running.total_bytes)}`}{" "}
            <progress
              aria-label="Progress"
              {...(running.total_bytes === null ? {} : { max: running.total_bytes, value: running.done_bytes })}
            />
          </label>
        </p>
      )}
      {last_error !== null && <Refusal text={`The last backup failed: ${last_error}`} />}
    </>
  );
}

interface ArchivesProps {
  readonly archives: readonly Archive[] | undefined;
  readonly onChange: () => void;
}

function Archives({ archives, onChange }: ArchivesProps) {
  const [deleting, setDeleting] = useState<string>();
  const [verifying, setVerifying] = useState<string>();
  const at = (name: string) => ({ params: { path: { name } } });
  const verify = async (name: string) => {
    setVerifying(name);
    await attempt(async () => {
      const { files, bytes, release } = await answerOf(client.POST("/-/backups/{name}/verify", at(name)));
      showDone(`${name} is whole: ${files} files, ${bytesText(bytes)}, made by ${release}`);
    });
    setVerifying(undefined);
  };
  const remove = (name: string) =>
    attempt(async () => {
      await client.DELETE("/-/backups/{name}", at(name));
      setDeleting(undefined);
      showDone(`${name} is deleted`);
      onChange();
    });
  return (
    <section class="list" aria-label="Archives">
      <div class="list-tools">
        <ApiButton call={{ method: "GET", address: addressOf("/-/backups") }} />
      </div>
      <Table
        rows={archives ?? []}
        keyOf={({ name }) => name}
        isLoading={archives === undefined}
        columns={[
          { head: "Archive", cell: ({ name }) => <span class="long">{name}</span> },
          { head: "Written", cell: ({ written_at }) => <Moment at={written_at} /> },
          { head: "Size", cell: ({ bytes }) => bytesText(bytes) },
          {
            head: "Actions",
            cell: ({ name }) => (
              <span class="actions">
                <button type="button" disabled={verifying !== undefined} onClick={() => void verify(name)}>
                  {verifying === name ? "Verifying…" : "Verify"}
                </button>
                <a href={addressOf("/-/backups/{name}", { name })} download={name}>
                  Download
                </a>
                <button type="button" class="danger" onClick={() => setDeleting(name)}>
                  Delete
                </button>
              </span>
            ),
          },
        ]}
      />
      {archives?.length === 0 && (
        <p class="empty">
          There is no archive yet: <code>outpost api POST /-/backups</code>
        </p>
      )}
      {deleting !== undefined && (
        <Confirm
          title={`Delete ${deleting}?`}
          action="Delete"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void remove(deleting)}
        >
          <p>Nothing brings it back.</p>
        </Confirm>
      )}
    </section>
  );
}

function Restoring({ name, folder }: { readonly name: string | undefined; readonly folder: string | undefined }) {
  return (
    <>
      <h2>How to restore</h2>
      <p>
        On the machine of the server, into an empty data folder. The archive is verified on the way; no store appears
        before all of it is whole.
      </p>
      <pre class="code">
        {`outpost restore ${folder ?? "FOLDER"}/${name ?? "ARCHIVE"} --data ./restored\noutpost serve --data ./restored`}
      </pre>
    </>
  );
}
