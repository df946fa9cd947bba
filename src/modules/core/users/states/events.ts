import { domainEvent } from "../../../kernel/event.ts";
import type { UserRecord } from "../records.ts";

/** Published when an active user is blocked, banned or deactivated. */
export const userSuspended = domainEvent<{ readonly user: UserRecord }>("user-suspended");
