import { client } from "../../api/client.ts";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { go, hrefOf } from "../../state/router.ts";
import { me, signIn } from "../../state/session.ts";
import { showDone } from "../../state/toasts.ts";

/** The page behind a one-time address. The address does not work again, so the page asks for a password. */
export default function Welcome() {
  const { id, username, is_admin } = me();
  if (!is_admin) {
    return (
      <>
        <h1>You are signed in</h1>
        <p>
          The address signs nobody in again. <a href={hrefOf("/")}>Go to the overview</a>.
        </p>
      </>
    );
  }
  const save = async ({ password }: Readonly<Record<string, unknown>>) => {
    await client.PUT("/api/v4/users/{id}", { params: { path: { id } }, body: { password: String(password) } });
    // Another password ends every session, this one too.
    await signIn({ login: username, password: String(password) });
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
        fields={{ password: "New password" }}
        required={["password"]}
        help={{ password: "8 to 128 characters" }}
        action="Store the password"
        onSubmit={save}
      />
      <p>
        <a href={hrefOf("/")}>Not now</a>
      </p>
    </>
  );
}
