import { useState } from "preact/hooks";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { hrefOf } from "../../state/router.ts";

/** Requests a mail with a link to reset the password. */
export default function ForgottenPassword() {
  const [isSent, setSent] = useState(false);
  return (
    <>
      <h1>Forgotten password</h1>
      {isSent ? (
        <p role="status">
          If an account has this address, a mail with a link is on its way to it. An administrator can help, too.
        </p>
      ) : (
        <SchemaForm
          method="post"
          path="/-/account/password-resets"
          fields={{ email: "Email address of your account" }}
          help={{ email: "It gets a mail with a link to choose another password." }}
          action="Send the mail"
          onAnswer={() => setSent(true)}
        />
      )}
      <p>
        <a href={hrefOf("/")}>Back to the sign-in</a>
      </p>
    </>
  );
}
