import type { Caller } from "../../../domain/caller.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import type { AccessRequestRecord } from "../../members/access-requests/records.ts";
import { accessRequests } from "../../members/access-requests/records.ts";
import { type MembershipRecord, memberships } from "../../members/members/records.ts";

interface MemberDetails {
  /** Everything in the source, and below it, loses the user as its assignee (members-and-access 4.5, `unassign_issuables`). */
  readonly unassigns?: boolean | undefined;
}

/** Events about members of groups and projects. Those who go with a group, project or user have none. */
export const memberEvents = recordEvents<MembershipRecord, Caller, MemberDetails>("member", memberships);

interface AccessRequestDetails {
  /** Whether the request is deleted because its user became a member. */
  readonly isGranted?: boolean | undefined;
}

export const accessRequestEvents = recordEvents<AccessRequestRecord, Caller, AccessRequestDetails>(
  "access-request",
  accessRequests,
);
