import type { SignedInCaller } from "../../domain/caller.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Edition } from "../../domain/edition.ts";
import type { FeatureDefinitions } from "../../domain/feature-definition.ts";
import type { PasswordLife } from "../../domain/password.ts";
import type { OpenApiVersion } from "../../domain/release.ts";
import type { RequestLimit } from "../../domain/window-counter.ts";
import type { Repositories } from "../../git/index.ts";
import type { DateTime } from "../../lib/datetime.ts";
import type { Gate } from "../../lib/gate.ts";
import type { Log } from "../../lib/log.ts";
import type { LoopActivity } from "../../lib/loop-activity.ts";
import type { CallHttp } from "../../lib/outgoing/http-call.ts";
import type { Randomness, SeededRandomness } from "../../lib/randomness.ts";
import type { AnyCollectionDeclaration, Store } from "../../store/index.ts";
import type { CallExplanation, CallQuestion } from "./call-explanation.ts";
import type { Subscriptions } from "./event.ts";
import type { FileContent } from "./operation.ts";
import type { Registry, RegistryEntries } from "./registry.ts";
import type { ServiceKey } from "./service.ts";

/** Metrics of the running server, in the text format of Prometheus. */
export interface Metrics {
  /** Whether processes of this machine may read them without a token. */
  readonly isOpenLocally: boolean;
  render(): Promise<string>;
}

/** The API reference: the OpenAPI document, and the page that shows it. */
export interface ApiReference {
  /** The document, in a coding that `Accept-Encoding` names. */
  document(version: OpenApiVersion, acceptEncoding: string | null): Promise<FileContent>;
  page(acceptEncoding: string | null): Promise<FileContent>;
  /** A file that the page loads, in a coding that `Accept-Encoding` names; undefined for a name that it does not load. */
  pageFile(name: string, acceptEncoding: string | null): Promise<FileContent | undefined>;
}

/** The pages of the console, and what they load. */
export interface ConsolePages {
  /** The one document that all addresses of the console answer. */
  page(): Promise<FileContent>;
  /** A file of the document, in a coding that `Accept-Encoding` names; undefined for a name that it does not load. */
  asset(name: string, acceptEncoding: string | null): Promise<FileContent | undefined>;
}

/** The server that takes mails. */
export interface SmtpServer {
  /** `smtp:` or `smtps:`, with credentials. */
  readonly url: string;
  /** The host of the sender's address. */
  readonly fromHost: string;
}

/** The services that recognise spam and verify a captcha. */
export interface SpamServices {
  /** Lower-case words. */
  readonly keywords: readonly string[];
  /** Base of an Akismet-compatible service. */
  readonly akismetUrl: string;
  readonly recaptchaVerifyUrl: string;
  /** Keys that the settings get at each start; undefined: they stay as they are. */
  readonly recaptchaKeys: { readonly site: string; readonly private: string } | undefined;
}

/** Settings of moves between repository storages. */
export interface StorageMoveSettings {
  /** Time that a move stays in `scheduled`, and again in `started`. */
  readonly delayMs: number;
  /** The start of this process. */
  readonly startedAt: DateTime;
}

/** The storage limits of repositories, packages, images, artifacts and snippets. */
export interface StorageLimits {
  /** Bytes of one project; undefined: as many as come. */
  readonly projectBytes: number | undefined;
  /** Bytes of all projects together; undefined: as many as come. */
  readonly totalBytes: number | undefined;
  /** The share of free disk space, in percent, below which large writes are refused; 0: down to the last byte. */
  readonly minFreePercent: number;
  /** The limit of large changes of one user; 0: none. */
  readonly userBytesPerHour: number;
  /** A folder on that disk. */
  readonly folder: string;
}

/** A call that would have been made to a third-party service. */
export interface SunkCall {
  readonly id: number;
  /** By the clock of the sandbox, in milliseconds since 1970. */
  readonly sentMs: number;
  readonly method: string;
  readonly url: string;
  /** Without secrets. */
  readonly body: string;
}

/** A setting of the server as it was started. */
export interface StartSetting {
  /** As the flag, without dashes. */
  readonly name: string;
  readonly help: string;
  /** As it is typed. */
  readonly flag: string;
  readonly variable: string;
  /** null: not set, or secret. */
  readonly value: string | number | boolean | null;
  /** Whether a secret value is set. */
  readonly isHidden: boolean;
  readonly from: "flag" | "variable" | "default";
}

/** The folder of backups, and those that are made by the clock. */
export interface BackupSettings {
  /** A cron pattern in UTC; undefined: none are made by the clock. */
  readonly schedule: string | undefined;
  /** Absolute path of the folder that they are written to. */
  readonly folder: string;
  /** The number of backups that stay. */
  readonly keep: number;
}

/** The parts of a sandbox that requests, jobs and the calls that control it share. */
export interface Sandbox {
  /** Requests and jobs go through it, and are held back while the store is put back to an earlier state. */
  readonly gate: Gate;
  /** As the context's clock. */
  readonly clock: SandboxClock;
  /** As the context's randomness; undefined: it follows from no number. */
  readonly random: SeededRandomness | undefined;
  /** The last calls that `--outgoing sink` has kept, newest first. */
  readonly listSunkCalls: () => readonly SunkCall[];
  /** The paths of all operations, as they are declared. */
  readonly listRoutes: () => Promise<readonly string[]>;
  /** The file that requests are recorded to; undefined: none. */
  readonly recording: string | undefined;
  /** Set once the server has a scheduler. */
  work: SandboxWork;
  /** Makes what a fixture says, or nothing of it; nothing else may run meanwhile. Throws 400 with all mistakes. */
  readonly applyFixture: (context: Context, text: string, caller: SignedInCaller) => Promise<FixtureResult>;
}

/** The things that a fixture made, by usernames and full paths. */
export interface FixtureResult {
  readonly users: Readonly<Record<string, { readonly id: number; readonly token?: string }>>;
  readonly groups: Readonly<Record<string, { readonly id: number }>>;
  readonly projects: Readonly<Record<string, { readonly id: number }>>;
}

/** The state of a clock: what it showed at a time of the system, and how it goes on. */
export interface ClockState {
  /** Milliseconds since 1970. */
  readonly base_ms: number;
  /** The system's time when the clock showed that. */
  readonly since_ms: number;
  /** Seconds of the clock in one second. */
  readonly rate: number;
  readonly is_frozen: boolean;
}

/** A clock that can be set. */
export interface SandboxClock extends Clock {
  /** The system's clock, which sockets follow. */
  readonly real: Clock;
  readonly state: ClockState;
  /** Sets the clock; undefined: to the system's time. Due timers run. */
  load(state: ClockState | undefined): void;
}

/** Background jobs and periodic work, as the one who moves the clock sees them. */
export interface SandboxWork {
  /** When the next of them is due, in milliseconds since 1970; undefined: none ever. */
  nextDue(): number | undefined;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** The number of those that have ended since the start. */
  readonly ended: number;
  /** Names of those that run. */
  readonly running: readonly string[];
}

/** Everything that modules may use and that the composition root hands in. */
export interface ContextParts {
  readonly store: Store;
  /** Every collection and log of the modules. */
  readonly collections: readonly AnyCollectionDeclaration[];
  /** The git repositories of projects, snippets and group wikis. */
  readonly repositories: Repositories;
  readonly storageMoves: StorageMoveSettings;
  readonly storageLimits: StorageLimits;
  readonly passwordLife: PasswordLife;
  readonly backups: BackupSettings;
  /** Jobs of instance runners only seem to run. */
  readonly demoRunner: boolean;
  /** Every setting of the server, in the order of the help. */
  readonly listStartSettings: () => Promise<readonly StartSetting[]>;
  /** Absolute path of the file with the credentials of the first start, which may be gone. */
  readonly credentialsFile: string;
  /** Limit on requests with alerts of one project; 0 `requests` for none. */
  readonly alertRateLimit: RequestLimit;
  readonly featureDefinitions: FeatureDefinitions;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** A random text: what one process has counted says nothing in another. */
  readonly processToken: string;
  readonly edition: Edition;
  /** Base of the addresses in answers; undefined: the request's own origin. */
  readonly externalUrl: string | undefined;
  /** `iss` of ID tokens: the same for every request. */
  readonly issuer: string;
  /** Base of the addresses in mails; undefined: they name things by their references. */
  readonly mailBaseUrl: string | undefined;
  readonly spamServices: SpamServices;
  /** Makes calls to third-party services and to receivers of webhooks. */
  readonly callHttp: CallHttp;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The work that the event loop is busy with, for the metrics and the watching thread. */
  readonly activity: LoopActivity;
  readonly reference: ApiReference;
  /** Loads all operations, which `explainCall` needs. */
  readonly loadOperations: () => Promise<unknown>;
  /** Says whether a user may make a call, and why; undefined for a call that no operation answers. */
  readonly explainCall: (context: Context, question: CallQuestion) => CallExplanation | undefined;
  /** The pages for people; undefined: this server has none, and takes no session as a credential. */
  readonly console: ConsolePages | undefined;
  /** undefined: an ordinary server. */
  readonly sandbox: Sandbox | undefined;
  /** undefined: none is configured, and no mail leaves the machine. */
  readonly smtp: SmtpServer | undefined;
}

/** The parts, and what the manifests of the modules add. */
export interface Context extends ContextParts {
  readonly subscriptions: Subscriptions;
  /** The service of a key. The first call makes it. */
  get<T>(key: ServiceKey<T>): T;
  /** The entries that the manifests give to a registry, in the order of the modules. */
  entries<T>(registry: Registry<T>): readonly T[];
}

/** Services, subscriptions and registries of the manifests; a part of `AssembledModules`. */
export interface ContextModules {
  readonly services: ReadonlySet<ServiceKey<unknown>>;
  readonly subscriptions: Subscriptions;
  readonly registries: RegistryEntries;
}

/** `get` and `entries` throw an error for what is in no manifest. */
export function createContext(parts: ContextParts, { services, subscriptions, registries }: ContextModules): Context {
  const made = new Map<ServiceKey<unknown>, unknown>();
  const make = <T>(key: ServiceKey<T>): T => {
    if (!services.has(key)) throw new Error(`no module in the list has the service ${key.name}`);
    const service = key.make(context);
    made.set(key, service);
    return service;
  };
  const context: Context = {
    ...parts,
    subscriptions,
    get: <T>(key: ServiceKey<T>) => (made.get(key) as T | undefined) ?? make(key),
    entries: <T>(registry: Registry<T>) => {
      const entries = registries.get(registry) as readonly T[] | undefined;
      if (entries === undefined) throw new Error(`no module in the list has the registry ${registry.name}`);
      return entries;
    },
  };
  return context;
}
