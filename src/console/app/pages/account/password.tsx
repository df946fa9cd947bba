import { useRef } from "preact/hooks";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { hrefOf } from "../../state/router.ts";
import { me, signIn } from "../../state/session.ts";
import { showDone } from "../../state/toasts.ts";
import { AccountTabs } from "./account-tabs.tsx";

/** Changes the user's password. */
export default function Password() {
  const chosen = useRef("");
  const enter = async () => {
    // A new password ends every session, including this one.
    await signIn({ login: me().username, password: chosen.current });
    showDone("Your password is changed, and all other browsers are signed out");
  };
  return (
    <>
      <AccountTabs />
      <h1>Password</h1>
      <p>All other browsers are signed out when it changes. Access tokens keep working.</p>
      <SchemaForm
        method="put"
        path="/-/account/password"
        fields={{ current_password: "Password so far", password: "New password" }}
        help={{ current_password: "Leave it empty if you have none yet.", password: "8 to 128 characters" }}
        action="Change the password"
        bodyOf={(values) => {
          chosen.current = String(values.password);
          return values;
        }}
        onAnswer={enter}
      />
      <p>
        You do not know it? <a href={hrefOf("/forgotten-password")}>Get a link by mail</a>.
      </p>
    </>
  );
}
