import { signal } from "@preact/signals";
import type { components } from "../api/generated.d.ts";

export type Session = components["schemas"]["OwnSession"];

/** The session of the browser; null without one, undefined until the server has answered. */
export const session = signal<Session | null | undefined>(undefined);

/** A sentence for the sign-in page. */
export const signInNotice = signal("");

/** Set while this browser has signed in here: without it, the page does not ask the server about a session. */
export const mark = "outpost-signed-in";

export function csrfToken(): string {
  return session.value?.csrf_token ?? "";
}

export function mayBeSignedIn(): boolean {
  return localStorage.getItem(mark) !== null;
}

export function noteSession(found: Session): void {
  if (!mayBeSignedIn()) localStorage.setItem(mark, "yes");
  signInNotice.value = "";
  session.value = found;
}

/** The cookie is another one now: other tabs hear of each new value of the mark. */
export function noteNewSession(found: Session): void {
  localStorage.setItem(mark, found.expires_at);
  noteSession(found);
}

/** The server no longer knows the session. */
export function noteSessionEnded(): void {
  if (session.value !== null && session.value !== undefined)
    signInNotice.value = "Your session has ended. Sign in again.";
  forgetSession();
}

export function forgetSession(): void {
  localStorage.removeItem(mark);
  session.value = null;
}
