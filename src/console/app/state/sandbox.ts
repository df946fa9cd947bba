import { signal } from "@preact/signals";

/** Whether the server is a sandbox: its answers say so. */
export const isSandbox = signal(false);

export function noteSandbox(headers: Headers): void {
  if (headers.has("x-outpost-sandbox")) isSandbox.value = true;
}
