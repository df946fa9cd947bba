import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { ExplainForm } from "../../parts/explain-form.tsx";
import { Facts } from "../../parts/facts.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { roleText } from "../../parts/project/roles.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { SessionList } from "../../parts/session-list.tsx";
import { TokenList } from "../../parts/token-list.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { hrefOf } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";
import { State } from "./people.tsx";

type User = components["schemas"]["User"] | components["schemas"]["UserWithAdmin"];

/** One user: who it is, what changes it, and where it has rights from. */
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
        {me().is_admin && !isMine && <StateButtons user={user} onChange={changed} />}
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

/** Verb of the API, its label, the states in which it does something, and what it means. */
const changes = [
  ["block", "Block", ["active", "deactivated"], "They can no longer sign in, and their tokens stop working."],
  ["unblock", "Unblock", ["blocked", "blocked_pending_approval"], "They can sign in again, and their tokens work."],
  ["deactivate", "Deactivate", ["active"], "For accounts that were not used for 90 days. Their sessions end."],
  ["activate", "Activate", ["deactivated"], "They can sign in again."],
  ["unban", "Unban", ["banned"], "They can sign in again."],
] as const;

function StateButtons({ user, onChange }: { readonly user: User; readonly onChange: () => void }) {
  const [asked, setAsked] = useState<(typeof changes)[number]>();
  const change = ([verb]: (typeof changes)[number]) =>
    attempt(async () => {
      await client.POST(`/api/v4/users/{id}/${verb}`, { params: { path: { id: user.id } } });
      setAsked(undefined);
      showDone("The state is changed");
      onChange();
    });
  return (
    <div class="actions">
      {changes
        .filter(([, , states]) => (states as readonly string[]).includes(user.state))
        .map((each) => (
          <button key={each[0]} type="button" onClick={() => setAsked(each)}>
            {each[1]}
          </button>
        ))}
      {asked !== undefined && (
        <Confirm
          title={`${asked[1]} ${user.username}?`}
          action={asked[1]}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void change(asked)}
        >
          <p>{asked[3]}</p>
        </Confirm>
      )}
    </div>
  );
}

function Memberships({ id }: { readonly id: number }) {
  return (
    <>
      <h2>Memberships</h2>
      <KeysetList
        label="Memberships"
        path="/api/v4/users/{id}/memberships"
        values={{ id }}
        keyOf={({ source_type, source_id }) => `${source_type} ${source_id}`}
        empty={<p>No group and no project has this user as a direct member.</p>}
        columns={[
          { head: "In", cell: ({ source_name }) => <bdi>{source_name}</bdi> },
          { head: "Role", cell: ({ access_level }) => roleText(access_level) },
          {
            head: "Comes from",
            cell: ({ source_type }) =>
              source_type === "Project"
                ? "direct membership in this project"
                : "direct membership in this group; holds in everything below it",
          },
        ]}
      />
    </>
  );
}
