import type { DateTime } from "../../../../lib/datetime.ts";
import { collection, multi, unique } from "../../../../store/index.ts";

/** A secondary address of a user (users-and-auth 11). The primary one is in the user's own record. */
export interface EmailRecord {
  readonly id: number;
  readonly user_id: number;
  readonly email: string;
  readonly confirmed_at: DateTime | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const emails = collection<EmailRecord>()("emails", {
  email: unique((record) => record.email.toLowerCase()),
  user_id: multi((record) => [record.user_id]),
});
