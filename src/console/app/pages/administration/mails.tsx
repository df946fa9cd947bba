import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { attempt, showDone } from "../../state/toasts.ts";

type Mail = ItemOf<"/-/outbox">;

/** The mails of the server, newest first. */
export default function Mails() {
  const [shown, setShown] = useState<Mail>();
  const [version, setVersion] = useState(0);
  const resend = ({ id, to }: Mail) =>
    attempt(async () => {
      await client.POST("/-/outbox/{id}/resend", { params: { path: { id } } });
      setShown(undefined);
      showDone(`The mail to ${to} is being sent`);
      setVersion(version + 1);
    });
  return (
    <>
      <h1>Mails</h1>
      <KeysetList
        label="Mails"
        path="/-/outbox"
        query={{ per_page: 50 }}
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            The server has not written a mail yet. A new person gets one, with a way to choose a password:{" "}
            <code>
              outpost api POST /users -F username=ada -F name=Ada -F email=ada@people.example -F reset_password=true
            </code>
          </p>
        }
        columns={[
          { head: "To", cell: ({ to }) => <span class="long">{to}</span> },
          { head: "Subject", cell: ({ subject }) => <bdi>{subject}</bdi> },
          { head: "Written", cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            head: "Sent",
            cell: ({ sent_at }) =>
              sent_at === null ? <span class="tag warning">not sent</span> : <Moment at={sent_at} />,
          },
          {
            head: "Text",
            cell: (mail) => (
              <button type="button" class="quiet" onClick={() => setShown(mail)}>
                Read
              </button>
            ),
          },
        ]}
      />
      {shown !== undefined && (
        <Dialog title={shown.subject} onClose={() => setShown(undefined)}>
          <Facts
            of={[
              ["To", shown.to],
              ["Because of", shown.event.replaceAll("_", " ")],
            ]}
          />
          <textarea class="code" rows={14} readOnly aria-label="Text" value={shown.text} />
          <div class="actions">
            <button type="button" onClick={() => void resend(shown)}>
              Send again
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
