import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { ExplainForm } from "../../parts/explain-form.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Moment } from "../../parts/moment.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { SessionList } from "../../parts/session-list.tsx";
import { TokenList } from "../../parts/token-list.tsx";
import { hrefOf } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import type { PageProps } from "../index.ts";
import { Memberships } from "./memberships.tsx";
import { State } from "./people.tsx";
import { PersonActions, type User } from "./person-actions.tsx";

/** A user: profile, actions, and memberships. */
export default function Person({ params }: PageProps) {
  const id = Number(params.id);
  const ask = () => answerOf(client.GET("/api/v4/users/{id}", { params: { path: { id } } }));
  const { data: user, refusal, reload } = useAnswer(String(id), ask);
  const [version, setVersion] = useState(0);
  if (refusal !== "") return <Refused refusal={refusal} />;
  if (user === undefined) return <p role="status">Loading…</p>;
  const changed = () => {
    reload();
    setVersion(version + 1);
  };
  const isMine = me().id === id;
  return (
    <>
      <div class="page-head">
        <h1>
          <bdi>{user.name}</bdi>
        </h1>
        {isMine && <a href={hrefOf("/profile")}>Edit your account</a>}
        {me().is_admin && !isMine && <PersonActions user={user} onChange={changed} />}
      </div>
      <Profile user={user} />
      {me().is_admin && (
        <>
          <Memberships id={id} />
          <h2>May they make a call?</h2>
          <ExplainForm userId={id} />
        </>
      )}
      {(me().is_admin || isMine) && (
        <>
          <h2>Access tokens</h2>
          <TokenList userId={id} />
          {me().is_admin && (
            <>
              <h2>Impersonation tokens</h2>
              <TokenList userId={id} kind="impersonation" />
            </>
          )}
          <h2>Sessions</h2>
          <SessionList userId={id} version={version} onChange={changed} />
        </>
      )}
    </>
  );
}

function Refused({ refusal }: { readonly refusal: string }) {
  return (
    <>
      <h1>Person</h1>
      <Refusal text={refusal} />
      <p>
        <a href={hrefOf("/people")}>Go to the list</a>
      </p>
    </>
  );
}

function Profile({ user }: { readonly user: User }) {
  const facts: readonly (readonly [string, preact.ComponentChildren])[] = [
    ["Username", user.username],
    ["State", <State key="state" of={user.state} />],
    ...("email" in user ? ([["Email address", user.email]] as const) : []),
    ...("is_admin" in user ? ([["Administrator", user.is_admin ? "yes" : "no"]] as const) : []),
    ["Since", <Moment key="since" at={user.created_at} />],
    ...("last_activity_on" in user ? ([["Last active", user.last_activity_on ?? "never"]] as const) : []),
    ...(user.bio ? ([["About", user.bio]] as const) : []),
  ];
  return <Facts of={facts} />;
}
