import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { ConfirmButton } from "../../parts/buttons/confirm-button.tsx";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";

type Email = ItemOf<"/api/v4/user/emails">;

interface OwnEmailsProps {
  readonly user: { readonly email: string };
  /** Called after a change of the primary address or a removal. */
  readonly onChange: () => void;
}

/** The user's email addresses. The primary one is for sign-in and mails. */
export function OwnEmails({ user, onChange }: OwnEmailsProps) {
  const [version, setVersion] = useState(0);
  const changed = () => {
    setVersion((before) => before + 1);
    onChange();
  };
  return (
    <>
      <p>
        Mails go to <strong class="long">{user.email}</strong>. A new address is used once the link in its mail is
        opened.
      </p>
      <div class="actions">
        <FormButton
          label="Add an address"
          method="post"
          path="/api/v4/user/emails"
          fields={{ email: "Email address" }}
          action="Add"
          done="The address is added. A mail to it has a link that confirms it."
          onDone={changed}
        />
        <FormButton
          label="Change the primary address"
          method="put"
          path="/-/account"
          fields={{ email: "Email address", current_password: "Your password" }}
          required={["email"]}
          help={{ email: "One of your confirmed addresses at once; another one when it is confirmed." }}
          action="Change"
          done="The change is stored. A new address gets a mail with a link that confirms it."
          onDone={changed}
        />
      </div>
      <KeysetList
        label="Email addresses"
        path="/api/v4/user/emails"
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            No address is confirmed: <code>outpost api POST /user/emails -F email=me@example.com</code>
          </p>
        }
        columns={[
          { head: "Address", cell: ({ email }) => <span class="long">{email}</span> },
          { head: "State", cell: (email) => stateOf(email, user.email) },
          {
            head: "Actions",
            cell: ({ id, email }) =>
              email === user.email ? null : (
                <ConfirmButton
                  label="Remove"
                  title={`Remove ${email}?`}
                  done="The address is removed"
                  act={() => client.DELETE("/api/v4/user/emails/{email_id}", { params: { path: { email_id: id } } })}
                  onDone={changed}
                >
                  Mails that went to it go to the primary address.
                </ConfirmButton>
              ),
          },
        ]}
      />
    </>
  );
}

function stateOf({ email, confirmed_at }: Email, primary: string): string {
  if (email === primary) return "primary";
  return confirmed_at === null ? "waits for its confirmation" : "confirmed";
}
