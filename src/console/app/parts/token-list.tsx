import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import type { ItemOf } from "../api/paths.ts";
import { me } from "../state/session.ts";
import { attempt, showDone } from "../state/toasts.ts";
import { CopyButton } from "./buttons/copy-button.tsx";
import { FormButton } from "./buttons/form-button.tsx";
import { Confirm, Dialog } from "./dialog.tsx";
import { KeysetList } from "./keyset-list.tsx";
import { Moment } from "./moment.tsx";

type Token = ItemOf<"/api/v4/personal_access_tokens">;

/** The API calls for each kind of token. All kinds have the same fields. */
const kinds = {
  personal: {
    label: "Access tokens",
    listPath: "/api/v4/personal_access_tokens",
    createPath: "/api/v4/users/{user_id}/personal_access_tokens",
    queryFor: (user_id: number) => ({ user_id, state: "active" as const }),
    revoke: ({ id }: Token) => client.DELETE("/api/v4/personal_access_tokens/{id}", { params: { path: { id } } }),
    empty: (
      <p>
        No token is active. On the server: <code>outpost token create --user NAME --scopes api</code>
      </p>
    ),
  },
  impersonation: {
    label: "Impersonation tokens",
    listPath: "/api/v4/users/{user_id}/impersonation_tokens",
    createPath: "/api/v4/users/{user_id}/impersonation_tokens",
    queryFor: () => ({ state: "active" as const }),
    revoke: ({ id, user_id }: Token) =>
      client.DELETE("/api/v4/users/{user_id}/impersonation_tokens/{impersonation_token_id}", {
        params: { path: { user_id, impersonation_token_id: id } },
      }),
    empty: (
      <p>
        No administrator can act as this user:{" "}
        <code>outpost api POST /users/ID/impersonation_tokens -F name=support -F scopes[]=api</code>
      </p>
    ),
  },
} as const;

const newToken = {
  label: "New token",
  method: "post",
  fields: { name: "Name", expires_at: "Expires", scopes: "Scopes" },
  required: ["name"],
  initial: { scopes: ["api"] },
  action: "Create",
  done: "The token is created",
} as const;

interface TokenListProps {
  readonly userId: number;
  readonly kind?: keyof typeof kinds;
}

/** The active tokens of a user. The user and administrators may create tokens, which are shown once. */
export function TokenList({ userId, kind = "personal" }: TokenListProps) {
  const { label, listPath, createPath, queryFor, revoke: revokeCall, empty } = kinds[kind];
  const isOwn = kind === "personal" && me().id === userId;
  const [version, setVersion] = useState(0);
  const [made, setMade] = useState("");
  const [revoking, setRevoking] = useState<Token>();
  const show = (token: string) => {
    setMade(token);
    setVersion(version + 1);
  };
  const revoke = (token: Token) =>
    attempt(async () => {
      await revokeCall(token);
      setRevoking(undefined);
      showDone("The token is revoked");
      setVersion(version + 1);
    });
  return (
    <>
      {isOwn ? (
        <FormButton {...newToken} path="/-/account/tokens" onDone={({ token = "" }) => show(token)} />
      ) : (
        me().is_admin && (
          <FormButton
            {...newToken}
            path={createPath}
            values={{ user_id: userId }}
            onDone={({ token = "" }) => show(token)}
          />
        )
      )}
      <KeysetList
        label={label}
        path={listPath}
        values={{ user_id: userId }}
        query={queryFor(userId)}
        version={version}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[
          { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
          { head: "Scopes", cell: ({ scopes }) => <span class="long">{scopes.join(", ")}</span> },
          { head: "Expires", cell: ({ expires_at }) => expires_at ?? "never" },
          { head: "Last used", cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
          {
            head: "Actions",
            cell: (token) => (
              <span class="actions">
                {kind === "personal" && (
                  <FormButton
                    label="Rotate"
                    title={`Rotate ${token.name}`}
                    method="post"
                    path="/api/v4/personal_access_tokens/{id}/rotate"
                    values={{ id: token.id }}
                    fields={{ expires_at: "Expires" }}
                    action="Rotate"
                    done="The token is replaced: the one before no longer works"
                    onDone={({ token: next = "" }) => show(next)}
                  />
                )}
                <button type="button" class="danger" onClick={() => setRevoking(token)}>
                  Revoke
                </button>
              </span>
            ),
          },
        ]}
      />
      {made !== "" && <Shown token={made} onClose={() => setMade("")} />}
      {revoking !== undefined && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          onClose={() => setRevoking(undefined)}
          onConfirm={() => void revoke(revoking)}
        >
          <p>What uses the token stops working at once.</p>
        </Confirm>
      )}
    </>
  );
}

function Shown({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The new token" onClose={onClose}>
      <p>Copy it now: nobody can show it again.</p>
      <input
        class="code"
        readOnly
        aria-label="Token"
        value={token}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div class="actions">
        <CopyButton text={token} />
      </div>
    </Dialog>
  );
}
