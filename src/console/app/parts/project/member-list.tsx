import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { hrefOf } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { ConfirmButton } from "../buttons/confirm-button.tsx";
import { FormButton } from "../buttons/form-button.tsx";
import { Dialog } from "../dialog.tsx";
import { useAnswer } from "../hooks/use-answer.ts";
import { KeysetList } from "../keyset-list.tsx";
import { Origin } from "./origin.tsx";
import { roles, roleText } from "./roles.ts";

type Member = ItemOf<"/api/v4/projects/{id}/members/all">;

export interface PlaceProps {
  readonly kind: "groups" | "projects";
  readonly id: number;
}

/** The most direct members in one answer. Beyond them, the list asks for each member's origin. */
const directMax = 100;

/** The members of a group or project, including inherited ones and those of invited groups. */
export function MemberList({ kind, id }: PlaceProps) {
  const [version, setVersion] = useState(0);
  const [explained, setExplained] = useState<Member>();
  const { data: direct, reload: reloadDirect } = useAnswer(`${kind} ${id}`, () =>
    answerOf(client.GET(`/api/v4/${kind}/{id}/members`, { params: { path: { id }, query: { per_page: directMax } } })),
  );
  const reload = () => {
    reloadDirect();
    setVersion((before) => before + 1);
  };
  const isDirect = (member: Member) => direct?.some((each) => each.id === member.id) === true;
  return (
    <>
      <div class="actions">
        <FormButton
          label="Add a member"
          method="post"
          path={`/api/v4/${kind}/{id}/members`}
          values={{ id }}
          fields={{ username: "Username", access_level: "Role", expires_at: "Until" }}
          required={["username", "access_level"]}
          choices={{ access_level: roles }}
          action="Add"
          done="The member is added"
          onDone={reload}
        />
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
          {
            head: "Comes from",
            cell: (member) => (
              <>
                {isDirect(member) ? "direct" : direct !== undefined && direct.length < directMax && "a group"}{" "}
                {me().is_admin && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Show where ${member.name}'s role comes from`}
                    onClick={() => setExplained(member)}
                  >
                    Show
                  </button>
                )}
              </>
            ),
          },
          { head: "Until", cell: ({ expires_at }) => expires_at ?? "no end" },
          {
            head: "Actions",
            cell: (member) => isDirect(member) && <Actions {...{ kind, id, member }} onDone={reload} />,
          },
        ]}
      />
      {explained !== undefined && (
        <Dialog title={`The role of ${explained.name}`} onClose={() => setExplained(undefined)}>
          <Origin kind={kind} id={id} userId={explained.id} />
        </Dialog>
      )}
    </>
  );
}

interface ActionsProps extends PlaceProps {
  readonly member: Member;
  readonly onDone: () => void;
}

/** The actions for a member. A role is changed where it was granted. */
function Actions({ kind, id, member, onDone }: ActionsProps) {
  const { id: user_id, name, access_level, expires_at } = member;
  const path = `/api/v4/${kind}/{id}/members/{user_id}` as const;
  return (
    <span class="actions">
      <FormButton
        label="Change"
        title={`Change the role of ${name}`}
        method="put"
        path={path}
        values={{ id, user_id }}
        fields={{ access_level: "Role", expires_at: "Until" }}
        choices={{ access_level: roles }}
        initial={{ access_level, expires_at }}
        action="Change"
        done="The role is changed"
        onDone={onDone}
      />
      <ConfirmButton
        label="Remove"
        title={`Remove ${name}?`}
        done="The member is removed"
        act={() => client.DELETE(path, { params: { path: { id, user_id } } })}
        onDone={onDone}
      >
        Roles that come from groups stay.
      </ConfirmButton>
    </span>
  );
}
