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

/** Finds the signed-in user, by the code in the address or by the cookie. Returns true when a code signed the user in. */
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

/** Signs in. Throws `ApiError` for wrong credentials. */
export async function signIn(credentials: Credentials): Promise<void> {
  noteNewSession(await answerOf(client.POST("/-/session", { body: credentials })));
}

export async function signOut(): Promise<void> {
  try {
    await client.DELETE("/-/session");
  } catch (error) {
    // A 401 means that the session has already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  forgetSession();
}

/** Returns the signed-in user, for pages that need one. */
export function me(): User {
  if (!session.value) throw new Error("nobody is signed in");
  return session.value.user;
}

/** Reloads the user after a change of the own account. */
export async function noteOwnChange(): Promise<void> {
  noteSession(await answerOf(client.GET("/-/session")));
}

// Another tab has signed in or out. All tabs share the cookie.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== mark) return;
  if (newValue === null) noteSessionEnded();
  else void attempt(takeOverSession);
});

/** Takes over the session of another tab. Reloads the page if the user has changed. */
async function takeOverSession(): Promise<void> {
  const found = await answerOf(client.GET("/-/session"));
  if (session.value && session.value.user.id !== found.user.id) location.reload();
  else noteSession(found);
}
