import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { paths } from "../../api/generated.d.ts";
import { hrefOf } from "../../state/router.ts";
import { showDone } from "../../state/toasts.ts";
import { Dialog } from "../dialog.tsx";
import { KeysetList } from "../keyset-list.tsx";
import { SchemaForm } from "../schema-form.tsx";
import { roles, roleText } from "./roles.ts";

type NewMember = NonNullable<
  paths["/api/v4/groups/{id}/members"]["post"]["requestBody"]
>["content"]["application/json"];

interface MemberListProps {
  readonly kind: "groups" | "projects";
  readonly id: number;
}

/** The members of a group or project, those of the groups above and of invited groups among them. */
export function MemberList({ kind, id }: MemberListProps) {
  const [version, setVersion] = useState(0);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => setAdding(true)}>
          Add a member
        </button>
      </div>
      <KeysetList
        label="Members"
        path={`/api/v4/${kind}/{id}/members/all`}
        values={{ id }}
        query={{ per_page: 50 }}
        version={version}
        keyOf={(member) => member.id}
        empty={
          <p>
            Nobody is a member: <code>outpost api POST /{kind}/ID/members -F user_id=2 -F access_level=30</code>
          </p>
        }
        columns={[
          {
            head: "Name",
            cell: (member) => (
              <a href={hrefOf(`/people/${member.id}`)}>
                <bdi>{member.name}</bdi>
              </a>
            ),
          },
          { head: "Username", cell: ({ username }) => <span class="long">{username}</span> },
          { head: "Role", cell: ({ access_level }) => roleText(access_level) },
          { head: "Until", cell: ({ expires_at }) => expires_at ?? "no end" },
        ]}
      />
      {isAdding && (
        <Dialog title="Add a member" onClose={() => setAdding(false)}>
          <SchemaForm
            method="post"
            path={`/api/v4/${kind}/{id}/members`}
            fields={{ username: "Username", access_level: "Role", expires_at: "Until" }}
            required={["username", "access_level"]}
            choices={{ access_level: roles }}
            action="Add"
            onSubmit={async (values) => {
              await client.POST(`/api/v4/${kind}/{id}/members`, {
                params: { path: { id } },
                body: values as NewMember,
              });
              setAdding(false);
              showDone("The member is added");
              setVersion(version + 1);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
