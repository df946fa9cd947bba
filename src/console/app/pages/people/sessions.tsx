import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { SessionList } from "../../parts/session-list.tsx";
import { me, signOut } from "../../state/session.ts";
import { signInNotice } from "../../state/session-signal.ts";
import { attempt } from "../../state/toasts.ts";
import { AccountTabs } from "../account/account-tabs.tsx";

/** The user's own sessions. */
export default function Sessions() {
  const [version, setVersion] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const endAll = () =>
    attempt(async () => {
      // Always the first page: ended sessions leave the list.
      for (let others = await otherSessions(); others.length > 0; others = await otherSessions()) {
        for (const { id } of others) await client.DELETE("/-/sessions/{id}", { params: { path: { id } } });
      }
      await signOut();
      signInNotice.value = "You are signed out everywhere.";
    });
  return (
    <>
      <AccountTabs />
      <div class="page-head">
        <h1>Sessions</h1>
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </button>
      </div>
      <p>Browsers that are signed in with your account. A session ends by itself after 12 hours without use.</p>
      <SessionList userId={me().id} version={version} onChange={() => setVersion(version + 1)} />
      {isAsking && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onClose={() => setAsking(false)}
          onConfirm={() => void endAll()}
        >
          <p>This ends all your sessions, this one too. Access tokens keep working.</p>
        </Confirm>
      )}
    </>
  );
}

async function otherSessions() {
  const all = await answerOf(client.GET("/-/sessions", { params: { query: { per_page: 100 } } }));
  return all.filter(({ current }) => !current);
}
