import type { EmailEntry } from "./service.ts";

/** users-and-auth 11. */
export function presentEmail({ id, email, confirmed_at }: EmailEntry) {
  return { id, email, confirmed_at };
}
