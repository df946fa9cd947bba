import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import { CopyButton } from "../../parts/buttons/copy-button.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { go } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { User } from "./person-actions.tsx";

interface DialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

interface ChangeProps extends DialogProps {
  readonly onDone: (text: string) => void;
}

const fields = {
  name: "Name",
  username: "Username",
  email: "Email address",
  bio: "About",
  job_title: "Job title",
  organization: "Organization",
  location: "Location",
  projects_limit: "Projects at most",
  can_create_group: "May create groups",
  external: "External",
  admin: "Administrator",
  note: "Note for administrators",
} as const;

/** Changes the profile and the rights of an account. */
export function EditPerson({ user, onClose, onDone }: ChangeProps) {
  const initial = { ...user, ...("is_admin" in user ? { admin: user.is_admin } : {}) };
  return (
    <Dialog title={`Edit ${user.username}`} onClose={onClose}>
      <SchemaForm
        method="put"
        path="/api/v4/users/{id}"
        values={{ id: user.id }}
        fields={fields}
        required={["name", "username", "email"]}
        long={["bio", "note"]}
        initial={Object.fromEntries(Object.entries(initial).filter(([, value]) => value !== null))}
        action="Save"
        bodyOf={(values) => ({ ...values, skip_reconfirmation: true })}
        onAnswer={() => onDone("The changes are saved")}
      />
    </Dialog>
  );
}

/** Sets the password of an account. */
export function SetPassword({ user, onClose, onDone }: ChangeProps) {
  return (
    <Dialog title={`Set a password for ${user.username}`} onClose={onClose}>
      <p>All their sessions end. Their tokens stay.</p>
      <SchemaForm
        method="put"
        path="/api/v4/users/{id}"
        values={{ id: user.id }}
        fields={{ password: "Password" }}
        required={["password"]}
        action="Set"
        onAnswer={() => onDone("The password is set")}
      />
    </Dialog>
  );
}

/** Shows an address that signs a user in once. */
export function SignInLink({ user, link, onClose }: DialogProps & { readonly link: string }) {
  return (
    <Dialog title={`A sign-in link for ${user.username}`} onClose={onClose}>
      <p>Whoever opens it within 15 minutes is signed in as {user.username}, once, and can choose a password.</p>
      <input
        class="code"
        readOnly
        aria-label="Sign-in link"
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div class="actions">
        <CopyButton text={link} />
      </div>
    </Dialog>
  );
}

/** Deletes an account after the administrator has typed its username. */
export function DeletePerson({ user, onClose }: DialogProps) {
  const [typed, setTyped] = useState("");
  const [isHard, setHard] = useState(false);
  const remove = () =>
    attempt(async () => {
      const params = { path: { id: user.id }, query: { hard_delete: isHard } };
      await client.DELETE("/api/v4/users/{id}", { params });
      showDone(`${user.username} is deleted`);
      go("/people");
    });
  return (
    <Confirm
      title={`Delete ${user.username}?`}
      action="Delete"
      isDisabled={typed !== user.username}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>What they wrote stays, under the name of a ghost user.</p>
      <div class="field">
        <label class="check">
          <input type="checkbox" checked={isHard} onChange={({ currentTarget }) => setHard(currentTarget.checked)} />{" "}
          Delete what they wrote, too, and groups that they own alone
        </label>
      </div>
      <div class="field">
        <label>
          Type the username <input value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
      </div>
    </Confirm>
  );
}
