import { signal } from "@preact/signals";

/** True when the server is a sandbox, according to a header of its answers. */
export const isSandbox = signal(false);

export function noteSandbox(headers: Headers): void {
  if (headers.has("x-outpost-sandbox")) isSandbox.value = true;
}
