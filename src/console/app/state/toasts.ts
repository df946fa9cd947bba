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

/** Shows for some seconds that something is done. */
export function showDone(text: string): void {
  const id = add({ kind: "done", text });
  setTimeout(() => dismiss(id), doneMs);
}

/** Shows an error until the user closes it. */
export function showError(error: unknown): void {
  const known = explain(error);
  if (known !== undefined) add({ kind: "error", ...known });
}

/** Runs an action of the user and shows its error. Returns whether it succeeded. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/** An error as text; undefined for one that the page shows in another way: no session, or no connection. */
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
