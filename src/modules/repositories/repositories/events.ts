import type { SignedInCaller } from "../../../domain/caller.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { domainEvent } from "../../kernel/event.ts";

/** The wishes of a push for its pipeline. */
export interface PushPipeline {
  /** Its pipeline is stored without jobs, as for `[skip ci]`. */
  readonly isSkipped: boolean;
  readonly variables: readonly { readonly key: string; readonly value: string }[];
}

/**
 * A branch or tag that the API or git makes, moves or deletes. What it is to name is on the disk when subscribers prepare, and the ref
 * is switched after that.
 */
export interface Push {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** `refs/heads/main`, `refs/tags/v1`. */
  readonly ref: string;
  /** The id that the ref named; 40 zeros for a new one. */
  readonly before: string;
  /** The id that it names now, of an annotated tag the tag's; 40 zeros for one that is deleted. */
  readonly after: string;
  /** The id of the commit that it leads to now; undefined where it is deleted. */
  readonly commit: string | undefined;
  /** Commits that the branch has more than before, a new one more than the default branch; 0 for a tag. */
  readonly commitCount: number;
  /** Branches and tags that the same push changes, each with an event of its own. */
  readonly refCount: number;
  /** Left out: nothing special; `none`: no pipeline is made. */
  readonly pipeline?: PushPipeline | "none" | undefined;
  /** Origin of URLs, without a trailing slash; undefined in a background job. */
  readonly baseUrl: string | undefined;
}

/**
 * Published before the request is answered, in the transaction that notes the change in the project's record. Subscribers
 * read the repository in `prepare`.
 */
export const refPushed = domainEvent<Push>("ref-pushed");
