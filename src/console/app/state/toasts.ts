import { signal } from "@preact/signals";
import { ApiError } from "../api/client.ts";

export interface Toast {
  readonly id: number;
  readonly kind: "done" | "error";
  readonly text: string;
  /** The id of the failed request. */
  readonly requestId?: string | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

const doneMs = 5_000;
let lastId = 0;

/** Shows a success message for some seconds. */
export function showDone(text: string): void {
  const id = add({ kind: "done", text });
  setTimeout(() => dismiss(id), doneMs);
}

/** Shows an error until the user closes it. */
export function showError(error: unknown): void {
  const known = explain(error);
  if (known === undefined) return;
  add({ kind: "error", text: withAdvice(known), requestId: known.requestId });
}

/** Advice for refused calls, by status. */
const advice: Readonly<Record<number, string>> = {
  403: "Somebody with more rights can do it.",
  404: "It is not there, or you may not see it.",
  429: "Wait a minute, then try again.",
  500: "The log of the server says more.",
};

/** Returns an error in one line: the message, the advice, and the request id. */
export function sentenceOf(known: Explained): string {
  return known.requestId === undefined ? withAdvice(known) : `${withAdvice(known)} (request ${known.requestId})`;
}

function withAdvice({ text, status = 0 }: Explained): string {
  return [text, advice[status]].filter(Boolean).join(". ");
}

/** Runs an action of the user and shows its error. Returns true on success. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

interface Explained extends Pick<Toast, "text" | "requestId"> {
  readonly status?: number;
}

/** Returns an error as text; undefined for those that the page shows in another way: no session, or no connection. */
export function explain(error: unknown): Explained | undefined {
  if (error instanceof TypeError) return undefined;
  if (!(error instanceof ApiError)) return { text: error instanceof Error ? error.message : String(error) };
  return error.status === 401 ? undefined : { text: error.message, requestId: error.requestId, status: error.status };
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function add(toast: Omit<Toast, "id">): number {
  lastId += 1;
  toasts.value = [...toasts.value, { ...toast, id: lastId }];
  return lastId;
}
