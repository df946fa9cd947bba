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
 * A branch or tag that the API or git sets to a commit: that is on the disk when subscribers prepare, and the ref is switched after that.
 */
export interface Push {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** `refs/heads/main`, `refs/tags/v1`. */
  readonly ref: string;
  /** The commit that the ref was at; 40 zeros for a new one. */
  readonly before: string;
  readonly after: string;
  /** The message of the commit. */
  readonly message: string;
  /** The message of an annotated tag. */
  readonly tagMessage?: string | undefined;
  /** Left out: nothing special; `none`: no pipeline is made. */
  readonly pipeline?: PushPipeline | "none" | undefined;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Published before the request is answered, in the transaction that notes the change in the project's record. Subscribers
 * read the repository in `prepare`.
 */
export const refPushed = domainEvent<Push>("ref-pushed");
