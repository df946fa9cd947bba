import type { Static } from "@sinclair/typebox";
import type { Email } from "./schema.ts";
import type { EmailEntry } from "./service.ts";

/** users-and-auth 11. */
export function presentEmail({ id, email, confirmed_at }: EmailEntry): Static<typeof Email> {
  return { id, email, confirmed_at };
}
