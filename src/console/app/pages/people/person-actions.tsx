import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { go } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import { DeletePerson, EditPerson, SetPassword, SignInLink } from "./person-dialogs.tsx";

export type User = components["schemas"]["User"] | components["schemas"]["UserWithAdmin"];

/** The end of the path, the label, the states in which the action works, and its description. */
const changes = [
  ["approve", "Approve", ["blocked_pending_approval"], "They can sign in, and get a mail that says so."],
  ["reject", "Reject", ["blocked_pending_approval"], "The account is deleted."],
  ["block", "Block", ["active", "deactivated"], "They can no longer sign in, and their tokens stop working."],
  ["unblock", "Unblock", ["blocked"], "They can sign in again, and their tokens work."],
  ["ban", "Ban", ["active"], "They can no longer sign in, and others no longer see what they wrote."],
  ["unban", "Unban", ["banned"], "They can sign in again, and others see what they wrote."],
  ["deactivate", "Deactivate", ["active"], "For accounts that were not used for 90 days. Their sessions end."],
  ["activate", "Activate", ["deactivated"], "They can sign in again."],
] as const;
type Change = (typeof changes)[number];

interface ActionsProps {
  readonly user: User;
  readonly onChange: () => void;
}

/** The administrator's actions for another account. */
export function PersonActions({ user, onChange }: ActionsProps) {
  const [open, setOpen] = useState<"edit" | "password" | "delete">();
  const [link, setLink] = useState("");
  const close = () => setOpen(undefined);
  const done = (text: string) => {
    close();
    showDone(text);
    onChange();
  };
  const makeLink = () =>
    attempt(async () => setLink((await answerOf(client.POST("/-/sign-in-codes", { body: { user: user.id } }))).url));
  return (
    <div class="actions">
      <StateButtons user={user} onDone={done} />
      <button type="button" onClick={() => setOpen("edit")}>
        Edit
      </button>
      <button type="button" onClick={() => setOpen("password")}>
        Set a password
      </button>
      {user.state === "active" && (
        <button type="button" onClick={() => void makeLink()}>
          Sign-in link
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen("delete")}>
        Delete
      </button>
      {open === "edit" && <EditPerson user={user} onClose={close} onDone={done} />}
      {open === "password" && <SetPassword user={user} onClose={close} onDone={done} />}
      {open === "delete" && <DeletePerson user={user} onClose={close} />}
      {link !== "" && <SignInLink link={link} user={user} onClose={() => setLink("")} />}
    </div>
  );
}

interface StateButtonsProps {
  readonly user: User;
  readonly onDone: (text: string) => void;
}

function StateButtons({ user, onDone }: StateButtonsProps) {
  const [asked, setAsked] = useState<Change>();
  const change = ([end]: Change) =>
    attempt(async () => {
      await client.POST(`/api/v4/users/{id}/${end}`, { params: { path: { id: user.id } } });
      setAsked(undefined);
      if (end !== "reject") return onDone("The state is changed");
      showDone(`${user.username} is rejected`);
      go("/people");
    });
  return (
    <>
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
    </>
  );
}
