import { signal } from "@preact/signals";
import type { components } from "../api/generated.d.ts";

export type Session = components["schemas"]["OwnSession"];

/** The session of the browser; null when signed out, undefined until the server has answered. */
export const session = signal<Session | null | undefined>(undefined);

/** A message on the sign-in page. */
export const signInNotice = signal("");

/**
 * The local-storage key that is set while this browser is signed in. Without it, the page does not ask the server for a
 * session.
 */
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

/** Stores a new session. Other tabs get an event for each new value of the key. */
export function noteNewSession(found: Session): void {
  localStorage.setItem(mark, found.expires_at);
  noteSession(found);
}

/** Notes that the session has ended. */
export function noteSessionEnded(): void {
  if (session.value !== null && session.value !== undefined)
    signInNotice.value = "Your session has ended. Sign in again.";
  forgetSession();
}

export function forgetSession(): void {
  localStorage.removeItem(mark);
  session.value = null;
}
