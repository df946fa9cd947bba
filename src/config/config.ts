import type { Edition } from "../domain/edition.ts";

/** Everything that a person can set, typed and checked (contract ground rules, "starting it"). */
export interface Config {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  /** Base of every URL in answers, without a trailing slash; undefined: the request's own origin. */
  readonly externalUrl: string | undefined;
  readonly edition: Edition;
  readonly logFormat: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Looked at on the first start only. */
  readonly rootToken: string | undefined;
  /** Looked at on the first start only. */
  readonly rootPassword: string | undefined;
}
