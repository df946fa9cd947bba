import { isConnected } from "../state/connection.ts";
import { place } from "../state/router.ts";
import { session } from "../state/session-signal.ts";
import { Frame } from "./frame.tsx";
import { OpenPage, openPageAt } from "./open-page.tsx";
import { SignIn } from "./sign-in.tsx";
import { Toasts } from "./toasts.tsx";

/** The root component: the pages for a signed-in user, else the sign-in. */
export function App() {
  const found = session.value;
  const open = openPageAt(place.value.path);
  return (
    <>
      {!isConnected.value && (
        <p class="banner" role="alert">
          The server does not answer. This page goes on as soon as it does.
        </p>
      )}
      {found === undefined && <main aria-busy="true" />}
      {found === null && (open === undefined ? <SignIn /> : <OpenPage page={open} />)}
      {found && <Frame user={found.user} />}
      <Toasts />
    </>
  );
}
