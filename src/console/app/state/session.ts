import { ApiError, answerOf, client } from "../api/client.ts";
import type { components } from "../api/generated.d.ts";
import {
  forgetSession,
  mark,
  mayBeSignedIn,
  noteNewSession,
  noteSession,
  noteSessionEnded,
  session,
  signInNotice,
} from "./session-signal.ts";
import { attempt } from "./toasts.ts";

export type Credentials = Partial<Record<"login" | "password" | "new_password" | "token" | "code", string>>;
export type User = components["schemas"]["OwnSession"]["user"];

/** Finds out who is signed in: by the code in the address, or by the cookie. Returns whether a code signed a user in. */
export async function findSession(): Promise<boolean> {
  const code = /^#code=(\w+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname);
    try {
      await signIn({ code });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      signInNotice.value =
        "This address was used already or is too old. On the server, `outpost console-link` prints another.";
    }
  }
  if (!mayBeSignedIn()) {
    forgetSession();
    return false;
  }
  try {
    noteSession(await answerOf(client.GET("/-/session")));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    forgetSession();
  }
  return false;
}

/** Throws `ApiError` for credentials that do not fit. */
export async function signIn(credentials: Credentials): Promise<void> {
  noteNewSession(await answerOf(client.POST("/-/session", { body: credentials })));
}

export async function signOut(): Promise<void> {
  try {
    await client.DELETE("/-/session");
  } catch (error) {
    // A session that has ended already is what was asked for.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  forgetSession();
}

/** The signed-in user. For pages, which only signed-in users see. */
export function me(): User {
  if (!session.value) throw new Error("nobody is signed in");
  return session.value.user;
}

/** Shows what the reader has changed about themselves. */
export async function noteOwnChange(): Promise<void> {
  noteSession(await answerOf(client.GET("/-/session")));
}

// Another tab signed out, or signed in: the cookie is one for all tabs.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== mark) return;
  if (newValue === null) noteSessionEnded();
  else void attempt(takeOverSession);
});

/** Takes the session of another tab over. A page that shows things of another user is loaded anew. */
async function takeOverSession(): Promise<void> {
  const found = await answerOf(client.GET("/-/session"));
  if (session.value && session.value.user.id !== found.user.id) location.reload();
  else noteSession(found);
}
