import { isConnected } from "../state/connection.ts";
import { session } from "../state/session-signal.ts";
import { Frame } from "./frame.tsx";
import { SignIn } from "./sign-in.tsx";
import { Toasts } from "./toasts.tsx";

/** Everything in the document: the pages for a signed-in user, else the sign-in. */
export function App() {
  const found = session.value;
  return (
    <>
      {!isConnected.value && (
        <p class="banner" role="alert">
          The server does not answer. This page goes on as soon as it does.
        </p>
      )}
      {found === undefined && <main aria-busy="true" />}
      {found === null && <SignIn />}
      {found && <Frame user={found.user} />}
      <Toasts />
    </>
  );
}
