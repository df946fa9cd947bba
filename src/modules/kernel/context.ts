import type { Clock } from "../../domain/clock.ts";
import type { Edition } from "../../domain/edition.ts";
import type { Repositories } from "../../git/index.ts";
import type { DateTime } from "../../lib/datetime.ts";
import type { Log } from "../../lib/log.ts";
import type { LoopActivity } from "../../lib/loop-activity.ts";
import type { Randomness } from "../../lib/randomness.ts";
import type { Store } from "../../store/index.ts";
import type { SignInRate } from "../accounts/sessions/index.ts";
import type { FeatureFlags } from "../admin/feature-flags/index.ts";
import type { RunnerQueue } from "../ci/runner-api/index.ts";
import type { Access } from "../core/access/index.ts";
import type { GroupStatistics, StorageQuotas } from "../core/namespaces/index.ts";
import type { AlertRate } from "../monitoring/alerts/index.ts";
import type { MilestoneTimes, ReadableIssues } from "../planning/issues/index.ts";
import type { BlobUploads } from "../registries/container-registry/index.ts";
import type { GroupRemoval } from "./group-hooks.ts";
import type { EpicListener, IssueListener, NoteListener } from "./issue-hooks.ts";
import type { MemberRemovedHook } from "./member-removed-hook.ts";
import type { FileContent } from "./operation.ts";
import type { OnPush, ProjectFacts, ProjectRemoval } from "./project-hooks.ts";
import type { UserRemoval } from "./user-removed-hook.ts";

/** Figures about the running server, in the text format of Prometheus. */
export interface Metrics {
  /** Whether processes of this machine may read them without a token. */
  readonly isOpenLocally: boolean;
  render(): Promise<string>;
}

/** The API reference: the OpenAPI document, and the page that shows it. */
export interface ApiReference {
  document(): Promise<string>;
  page(): Promise<FileContent>;
  /** What the page loads; undefined for a name that it does not. */
  pageFile(name: string): Promise<FileContent | undefined>;
}

/** The pages of the console, and what they load. */
export interface ConsolePages {
  /** The one document that all addresses of the console answer. */
  page(): Promise<FileContent>;
  /** What the document loads, in a coding that `Accept-Encoding` names; undefined for a name that it does not load. */
  asset(name: string, acceptEncoding: string | null): Promise<FileContent | undefined>;
}

/** Takes queued mails to the SMTP server. */
export interface MailWaker {
  /** A mail may have come. May be called in its transaction. */
  wake(): void;
}

/** What tells spam, and what verifies that a person wrote it. */
export interface SpamServices {
  /** In small letters. */
  readonly keywords: readonly string[];
  /** Base of an Akismet-compatible service. */
  readonly akismetUrl: string;
  readonly recaptchaVerifyUrl: string;
}

/** How moves of repositories go. */
export interface StorageMoveSettings {
  /** How long a move stays in `scheduled`, and again in `started`. */
  readonly delayMs: number;
  /** When this process started. */
  readonly startedAt: DateTime;
}

/** The house around every service: what it may use, all of it handed in by the composition root. */
export interface Context {
  readonly store: Store;
  /** The git repositories of projects, snippets and group wikis. */
  readonly repositories: Repositories;
  readonly storageMoves: StorageMoveSettings;
  /** Who may do what in groups and projects. */
  readonly access: Access;
  /** What the projects of groups take up. */
  readonly groupStatistics: GroupStatistics;
  readonly quotas: StorageQuotas;
  /** Which issues somebody may read. */
  readonly readableIssues: ReadableIssues;
  /** Which issues have a milestone that has begun, or is due next. */
  readonly milestoneTimes: MilestoneTimes;
  /** Who wants to know what happens to issues. */
  readonly issueListeners: readonly IssueListener[];
  readonly noteListeners: readonly NoteListener[];
  readonly epicListeners: readonly EpicListener[];
  /** Which of the server's own optional behaviours are on. */
  readonly features: FeatureFlags;
  /** Tells runners that wait of jobs. */
  readonly runnerQueue: RunnerQueue;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly edition: Edition;
  /** Base of the addresses in answers; undefined: the request's own origin. */
  readonly externalUrl: string | undefined;
  /** Base of the addresses in mails; undefined: they name things by their references. */
  readonly mailBaseUrl: string | undefined;
  readonly spamServices: SpamServices;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The work that the event loop is busy with, for the metrics and the watching thread. */
  readonly activity: LoopActivity;
  readonly reference: ApiReference;
  /** How many requests with alerts a project takes. */
  readonly alertRate: AlertRate;
  /** How many attempts to sign in somebody has. */
  readonly signInRate: SignInRate;
  /** The pages for people; undefined: this server has none, and takes no session as a credential. */
  readonly console: ConsolePages | undefined;
  /** Image layers that are being pushed. */
  readonly blobUploads: BlobUploads;
  /** What every module does when a project is deleted, in this order. */
  readonly projectRemovals: readonly ProjectRemoval[];
  /** What other modules know of a project. */
  readonly projectFacts: ProjectFacts;
  /** What every module does when a group is deleted, in this order. */
  readonly groupRemovals: readonly GroupRemoval[];
  /** What follows from a commit through the API. */
  readonly onPush: OnPush;
  /** undefined: no SMTP server is configured, and no mail leaves the machine. */
  readonly mailSender?: MailWaker | undefined;
  /** What every module does when a user is deleted, in this order. */
  readonly userRemovals: readonly UserRemoval[];
  /** The hooks that run when a member is removed. */
  readonly memberDepartures: readonly MemberRemovedHook[];
}
