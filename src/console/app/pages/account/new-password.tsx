import { useState } from "preact/hooks";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { hrefOf, place } from "../../state/router.ts";
import { forgetSession } from "../../state/session-signal.ts";

/** The page that sets a password, opened by a link in a mail. */
export default function NewPassword() {
  const token = place.value.query.get("reset_password_token") ?? "";
  const [isStored, setStored] = useState(false);
  const stored = () => {
    setStored(true);
    // A new password ends every session of the account, possibly this browser's.
    forgetSession();
  };
  return (
    <>
      <h1>Choose a password</h1>
      {isStored ? (
        <p role="status">
          Your password is stored. <a href={hrefOf("/")}>Sign in with it</a>.
        </p>
      ) : (
        <>
          <SchemaForm
            method="put"
            path="/-/account/password-resets"
            fields={{ password: "New password" }}
            help={{ password: "8 to 128 characters" }}
            action="Store the password"
            bodyOf={(values) => ({ ...values, reset_password_token: token })}
            onAnswer={stored}
          />
          <p>
            The link works once, within two days. <a href={hrefOf("/forgotten-password")}>Get another one</a>.
          </p>
        </>
      )}
    </>
  );
}
