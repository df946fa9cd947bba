import type { Caller, SignedInCaller } from "../../domain/caller.ts";
import type { Transaction } from "../../store/index.ts";
import type { ProjectRecord } from "../core/namespaces/index.ts";
import type { Context } from "./context.ts";

/** Facts that a project's object shows and other modules know. Manifests bring the facts, each from one module. */
export interface ProjectFacts {
  /** Open issues that the caller sees. */
  openIssuesCount(context: Context, caller: Caller, project: ProjectRecord): number;
  isRepositoryEmpty(context: Context, project: ProjectRecord): boolean;
  /** null: there is none. */
  readmeUrl(context: Context, project: ProjectRecord, webUrl: string): string | null;
}

/** A commit that was made through the API, on the disk already. */
export interface Push {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** `refs/heads/main`. */
  readonly ref: string;
  /** The commit that the branch was at; 40 zeros for a new one. */
  readonly before: string;
  readonly after: string;
  /** Of the commit. */
  readonly message: string;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * What follows from a commit. Called once for each, before the request is answered; it may read the repository. The
 * function that it returns runs in the transaction that notes the commit in the project's record.
 */
export type OnPush = (context: Context, push: Push) => Promise<((tx: Transaction) => void) | undefined>;
