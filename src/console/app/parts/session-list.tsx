import { client } from "../api/client.ts";
import type { ItemOf } from "../api/paths.ts";
import { noteSessionEnded, signInNotice } from "../state/session-signal.ts";
import { attempt, showDone } from "../state/toasts.ts";
import { KeysetList } from "./keyset-list.tsx";
import { Moment } from "./moment.tsx";

type Session = ItemOf<"/-/sessions">;

interface SessionListProps {
  readonly userId: number;
  readonly version: number;
  /** Called after a session has ended. */
  readonly onChange: () => void;
}

/** The sessions of a user, each with a button that ends it. */
export function SessionList({ userId, version, onChange }: SessionListProps) {
  const end = (session: Session) =>
    attempt(async () => {
      await client.DELETE("/-/sessions/{id}", { params: { path: { id: session.id } } });
      if (session.current) {
        noteSessionEnded();
        signInNotice.value = "You are signed out.";
        return;
      }
      showDone("The session has ended");
      onChange();
    });
  return (
    <KeysetList
      label="Sessions"
      path="/-/sessions"
      query={{ user_id: userId }}
      version={version}
      keyOf={({ id }) => id}
      empty={
        <p>
          Nobody is signed in with this account. An address signs its user in once:{" "}
          <code>outpost console-link NAME</code>
        </p>
      }
      columns={[
        {
          head: "Browser",
          cell: ({ user_agent, current }) => (
            <>
              <span class="long">{user_agent || "unknown"}</span> {current && <span class="tag">this one</span>}
            </>
          ),
        },
        { head: "Address", cell: ({ ip_address }) => ip_address ?? "unknown" },
        { head: "Since", cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: "Last used", cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        { head: "Scopes", cell: ({ scopes }) => scopes?.join(", ") ?? "all" },
        {
          head: "Actions",
          cell: (session) => (
            <button type="button" class="danger" onClick={() => void end(session)}>
              End
            </button>
          ),
        },
      ]}
    />
  );
}
