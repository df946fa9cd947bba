import { resolve } from "node:path";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { trimEndCharacters } from "../lib/text/trim.ts";

/** Converts the text of a setting into its value, or returns undefined for an invalid text. */
export type Parser<T> = (text: string) => T | undefined;

/** Accepts one of the given words exactly. */
export function oneOf<const W extends string>(words: readonly W[]): Parser<W> {
  return (text) => words.find((word) => word === text);
}

/** Accepts a host name or an address, with optional brackets around an IPv6 address, which it drops. */
export function parseHost(text: string): string | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  return /^[A-Za-z0-9._:%-]{1,253}$/.test(bare) ? bare : undefined;
}

/** Accepts 0 to 65535. */
export function parsePort(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}

/** Makes any path absolute, relative to the working folder. */
export function parseFolder(text: string): string | undefined {
  return text === "" || text.includes("\0") ? undefined : resolve(text);
}

/** Accepts an HTTP or HTTPS URL without credentials, query or fragment, and drops trailing slashes. */
export function parseExternalUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return undefined;
  return trimEndCharacters(url.origin + url.pathname, "/");
}

/** Accepts what `parseExternalUrl` accepts, or `unix:` and the path of a socket file. */
export function parseServerUrl(text: string): string | undefined {
  if (!text.startsWith("unix:")) return parseExternalUrl(text);
  const path = parseFolder(text.slice("unix:".length));
  return path === undefined ? undefined : `unix:${path}`;
}

/** Splits a text at commas into words in lower case, without blank ones. */
export function parseWords(text: string): readonly string[] {
  return text
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
}

/** Accepts a key of another service: visible ASCII. */
export function parseKey(text: string): string | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined;
}

/** Accepts the URL of an SMTP server: `smtp:` or `smtps:`, optionally with user and password, and without a path. */
export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || parseHost(url.hostname) === undefined) return undefined;
  if (!/^\/?$/.test(url.pathname) || /[?#]/.test(text)) return undefined;
  try {
    decodeURIComponent(`${url.username}${url.password}`);
  } catch {
    return undefined;
  }
  return url.href;
}

/** Accepts a token that fits into a header: visible ASCII, 20 to 255 characters. */
export function parseToken(text: string): string | undefined {
  return /^[\x21-\x7e]{20,255}$/.test(text) ? text : undefined;
}

/** Accepts any token that fits into a header. The server decides whether it is valid. */
export function parseSentToken(text: string): string | undefined {
  return /^[\x21-\x7e]{1,1000}$/.test(text) ? text : undefined;
}

/** Accepts 8 to 128 characters of any kind (users-and-auth 7). */
export function parsePassword(text: string): string | undefined {
  const length = [...text].length;
  return length >= 8 && length <= 128 ? text : undefined;
}

/** Accepts a comma-separated list of `name` or `name=folder` without duplicate names (storage-moves 1). */
export function parseStorages(text: string): readonly RepositoryStorage[] | undefined {
  const storages = text.split(",").map((part) => parseStorage(part.trim()));
  const known = storages.filter((storage) => storage !== undefined);
  const names = new Set(known.map(({ name }) => name));
  return names.size === storages.length ? known : undefined;
}

function parseStorage(text: string): RepositoryStorage | undefined {
  const [, name, folder] = /^([A-Za-z0-9_][\w.-]{0,99})(?:=(.+))?$/.exec(text) ?? [];
  if (name === undefined || text.includes("\0")) return undefined;
  return { name, folder: folder === undefined ? undefined : resolve(folder) };
}

/** Accepts an integer of milliseconds up to a day. */
export function parseMilliseconds(text: string): number | undefined {
  if (!/^\d{1,8}$/.test(text)) return undefined;
  const ms = Number(text);
  return ms <= 86_400_000 ? ms : undefined;
}

export function parseSwitch(text: string): boolean | undefined {
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined;
}

/** Accepts an integer between two bounds, inclusive. */
export function parseWholeNumber(least: number, most: number): Parser<number> {
  return (text) => {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  };
}

/** Accepts five cron fields. Loads the library only if the setting is given. */
export function parseCron(text: string): string | undefined {
  const pattern = text.trim().replaceAll(/\s+/g, " ");
  if (pattern.split(" ").length !== 5) return undefined;
  const { Cron } = require("croner") as typeof import("croner");
  try {
    return new Cron(pattern, { paused: true }).nextRun() === null ? undefined : pattern;
  } catch {
    return undefined;
  }
}
