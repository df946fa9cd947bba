import type { DateTime } from "../../../lib/datetime.ts";
import { collection } from "../../../store/index.ts";

export const availabilities = ["not_set", "busy"] as const;

/** What a user says of themselves (users-and-auth 12); of the user's own id, and there only while it says something. */
export interface UserStatusRecord {
  readonly id: number;
  readonly emoji: string | null;
  readonly message: string | null;
  readonly availability: (typeof availabilities)[number] | null;
  /** From then on it reads as never set. */
  readonly clear_status_at: DateTime | null;
}

export const userStatuses = collection<UserStatusRecord>()("user-statuses", {});
