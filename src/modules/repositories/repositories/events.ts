import type { SignedInCaller } from "../../../domain/caller.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import { domainEvent } from "../../kernel/event.ts";

/** A commit that is made through the API: it is on the disk when subscribers prepare, and its branch is switched after that. */
export interface Push {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** The branch: `refs/heads/main`. */
  readonly ref: string;
  /** The commit that the branch was at; 40 zeros for a new one. */
  readonly before: string;
  readonly after: string;
  /** The message of the commit. */
  readonly message: string;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Published before the request is answered, in the transaction that notes the commit in the project's record. Subscribers
 * read the repository in `prepare`.
 */
export const branchPushed = domainEvent<Push>("branch-pushed");
