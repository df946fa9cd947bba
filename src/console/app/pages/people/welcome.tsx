import { useRef } from "preact/hooks";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { go, hrefOf } from "../../state/router.ts";
import { me, signIn } from "../../state/session.ts";
import { showDone } from "../../state/toasts.ts";

/** The page behind a one-time address. The address does not work again, so the page asks for a password. */
export default function Welcome() {
  const { id, username, is_admin } = me();
  const chosen = useRef("");
  if (!is_admin) {
    return (
      <>
        <h1>You are signed in</h1>
        <p>
          The address signs nobody in again. <a href={hrefOf("/profile/password")}>Choose a password</a> to come back,
          or <a href={hrefOf("/")}>go to the overview</a>.
        </p>
      </>
    );
  }
  const enter = async () => {
    // A new password ends every session, including this one.
    await signIn({ login: username, password: chosen.current });
    showDone("Your password is stored");
    go("/");
  };
  return (
    <>
      <h1>Choose a password</h1>
      <p>
        You are signed in as <strong>{username}</strong>. The address that brought you here works only once; a password
        lets you come back.
      </p>
      <SchemaForm
        method="put"
        path="/api/v4/users/{id}"
        values={{ id }}
        fields={{ password: "New password" }}
        required={["password"]}
        help={{ password: "8 to 128 characters" }}
        action="Store the password"
        bodyOf={(values) => {
          chosen.current = String(values.password);
          return values;
        }}
        onAnswer={enter}
      />
      <p>
        <a href={hrefOf("/")}>Not now</a>
      </p>
    </>
  );
}
