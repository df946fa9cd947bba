import { signal } from "@preact/signals";
import { ApiError } from "../api/client.ts";

export interface Toast {
  readonly id: number;
  readonly kind: "done" | "error";
  readonly text: string;
  /** The id of the request that failed. */
  readonly requestId?: string | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

const doneMs = 5_000;
let lastId = 0;

/** Tells for a moment that something is done. */
export function tellDone(text: string): void {
  const id = add({ kind: "done", text });
  setTimeout(() => dismiss(id), doneMs);
}

/** Tells what happened, until somebody closes it. */
export function tellError(error: unknown): void {
  const known = explain(error);
  if (known !== undefined) add({ kind: "error", ...known });
}

/** Runs what a person asked for, and tells when it fails. Returns whether it did not. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    tellError(error);
    return false;
  }
}

/** An error in words; undefined for one that the page tells of itself: no session, or no connection. */
export function explain(error: unknown): Pick<Toast, "text" | "requestId"> | undefined {
  if (error instanceof TypeError) return undefined;
  if (!(error instanceof ApiError)) return { text: String(error) };
  return error.status === 401 ? undefined : { text: error.message, requestId: error.requestId };
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function add(toast: Omit<Toast, "id">): number {
  lastId += 1;
  toasts.value = [...toasts.value, { ...toast, id: lastId }];
  return lastId;
}
