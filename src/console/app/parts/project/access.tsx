import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { me } from "../../state/session.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import { ApiButton } from "../buttons/api-button.tsx";
import { ConfirmButton } from "../buttons/confirm-button.tsx";
import { FormButton } from "../buttons/form-button.tsx";
import { ExplainForm } from "../explain-form.tsx";
import { KeysetList } from "../keyset-list.tsx";
import { Moment } from "../moment.tsx";
import { Table } from "../table.tsx";
import { MemberList, type PlaceProps } from "./member-list.tsx";
import { roles, roleText } from "./roles.ts";

interface InvitedGroup {
  readonly group_id: number;
  readonly group_full_path: string;
  readonly group_access_level: number;
  readonly expires_at: string | null;
}

interface AccessProps extends PlaceProps {
  /** The invited groups; undefined while they are loading. */
  readonly invited: readonly InvitedGroup[] | undefined;
  readonly onChange: () => void;
}

/** The access to a group or project: members, invited groups, and access requests. */
export function AccessOf({ kind, id, invited, onChange }: AccessProps) {
  const [version, setVersion] = useState(0);
  return (
    <>
      {me().is_admin && (
        <>
          <h2>Why may somebody see this, or not?</h2>
          <ExplainForm path={`/${kind}/${id}`} />
        </>
      )}
      <h2>Members</h2>
      <MemberList key={version} kind={kind} id={id} />
      <InvitedGroups {...{ kind, id, invited, onChange }} />
      <h2>Requests for access</h2>
      <AccessRequests kind={kind} id={id} onApproved={() => setVersion(version + 1)} />
    </>
  );
}

function InvitedGroups({ kind, id, invited, onChange }: AccessProps) {
  return (
    <section class="list" aria-label="Invited groups">
      <div class="page-head">
        <h2>Invited groups</h2>
        <FormButton
          label="Invite a group"
          method="post"
          path={`/api/v4/${kind}/{id}/share`}
          values={{ id }}
          fields={{ group_id: "Id of the group", group_access: "Role at most", expires_at: "Until" }}
          choices={{ group_access: roles }}
          action="Invite"
          done="The group is invited"
          onDone={onChange}
        />
      </div>
      <div class="list-tools">
        <ApiButton call={{ method: "GET", address: addressOf(`/api/v4/${kind}/{id}`, { id }) }} />
      </div>
      <Table
        rows={invited ?? []}
        keyOf={({ group_id }) => group_id}
        isLoading={invited === undefined}
        columns={[
          { head: "Group", cell: ({ group_full_path }) => <bdi>{group_full_path}</bdi> },
          { head: "Role at most", cell: ({ group_access_level }) => roleText(group_access_level) },
          { head: "Until", cell: ({ expires_at }) => expires_at ?? "no end" },
          {
            head: "Actions",
            cell: ({ group_id, group_full_path }) => (
              <ConfirmButton
                label="Remove"
                title={`Remove ${group_full_path}?`}
                done="The group is no longer invited"
                act={() =>
                  client.DELETE(`/api/v4/${kind}/{id}/share/{group_id}`, { params: { path: { id, group_id } } })
                }
                onDone={onChange}
              >
                Its members lose the role that they have through it.
              </ConfirmButton>
            ),
          },
        ]}
      />
      {invited?.length === 0 && (
        <p class="empty">
          No group is invited: <code>outpost api POST /{kind}/ID/share -F group_id=3 -F group_access=20</code>
        </p>
      )}
    </section>
  );
}

function AccessRequests({ kind, id, onApproved }: PlaceProps & { readonly onApproved: () => void }) {
  const [version, setVersion] = useState(0);
  const path = `/api/v4/${kind}/{id}/access_requests/{user_id}` as const;
  const reload = () => setVersion((before) => before + 1);
  const deny = (user_id: number) =>
    attempt(async () => {
      await client.DELETE(path, { params: { path: { id, user_id } } });
      showDone("The request is denied");
      reload();
    });
  return (
    <KeysetList
      label="Requests for access"
      path={`/api/v4/${kind}/{id}/access_requests`}
      values={{ id }}
      version={version}
      keyOf={(request) => request.id}
      empty={
        <p>
          Nobody waits for access. A user asks for it: <code>outpost api POST /{kind}/ID/access_requests</code>
        </p>
      }
      columns={[
        { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
        { head: "Asked", cell: ({ requested_at }) => <Moment at={requested_at} /> },
        {
          head: "Actions",
          cell: ({ id: user_id, name }) => (
            <span class="actions">
              <FormButton
                label="Approve"
                title={`Approve ${name}`}
                method="put"
                path={`${path}/approve`}
                values={{ id, user_id }}
                fields={{ access_level: "Role" }}
                choices={{ access_level: roles }}
                initial={{ access_level: 30 }}
                action="Approve"
                done="The request is approved"
                onDone={() => {
                  reload();
                  onApproved();
                }}
              />
              <button type="button" class="danger" onClick={() => void deny(user_id)}>
                Deny
              </button>
            </span>
          ),
        },
      ]}
    />
  );
}
