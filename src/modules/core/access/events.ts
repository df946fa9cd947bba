import type { SourceRef } from "../../../domain/source.ts";
import { domainEvent } from "../../kernel/event.ts";

/** A member was removed from a group or project through the API, or left it. */
export interface MemberRemoved {
  readonly userId: number;
  readonly source: SourceRef;
  /** Everything in the source, and below it, loses the user as its assignee (members-and-access 4.5, `unassign_issuables`). */
  readonly unassigns: boolean;
}

export const memberRemoved = domainEvent<MemberRemoved>("member-removed");
