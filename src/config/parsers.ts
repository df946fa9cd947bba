import { resolve } from "node:path";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { trimEndCharacters } from "../lib/text/trim.ts";

/** Turns the text of a setting into its value; undefined when the text does not fit. */
export type Parser<T> = (text: string) => T | undefined;

/** One of a few words, written exactly so. */
export function oneOf<const W extends string>(words: readonly W[]): Parser<W> {
  return (text) => words.find((word) => word === text);
}

/** A name or an address; an IPv6 address may stand in brackets, which are dropped. */
export function parseHost(text: string): string | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  return /^[A-Za-z0-9._:%-]{1,253}$/.test(bare) ? bare : undefined;
}

/** 0 to 65535. */
export function parsePort(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}

/** Any path, made absolute from the working folder. */
export function parseFolder(text: string): string | undefined {
  return text === "" || text.includes("\0") ? undefined : resolve(text);
}

/** An http or https address without credentials, query or fragment; slashes at its end are dropped. */
export function parseExternalUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return undefined;
  return trimEndCharacters(url.origin + url.pathname, "/");
}

/** Reads what `parseExternalUrl` reads, or `unix:` and the path of a socket file. */
export function parseServerUrl(text: string): string | undefined {
  if (!text.startsWith("unix:")) return parseExternalUrl(text);
  const path = parseFolder(text.slice("unix:".length));
  return path === undefined ? undefined : `unix:${path}`;
}

/** Words between commas, in small letters; blank ones are left out. */
export function parseWords(text: string): readonly string[] {
  return text
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
}

/** A key that others gave out: visible ASCII. */
export function parseKey(text: string): string | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined;
}

/** An SMTP server by `smtp:` or `smtps:`, with a user and a password where it wants them, and nothing behind the port. */
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

/** A token that fits into a header: visible ASCII, 20 to 255 characters. */
export function parseToken(text: string): string | undefined {
  return /^[\x21-\x7e]{20,255}$/.test(text) ? text : undefined;
}

/** Any token that a header can carry: what a server takes is its own matter. */
export function parseSentToken(text: string): string | undefined {
  return /^[\x21-\x7e]{1,1000}$/.test(text) ? text : undefined;
}

/** 8 to 128 characters of any kind (users-and-auth 7). */
export function parsePassword(text: string): string | undefined {
  const length = [...text].length;
  return length >= 8 && length <= 128 ? text : undefined;
}

/** `name` or `name=folder`, with commas between them; no name twice (storage-moves 1). */
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

/** A whole number of milliseconds, a day at most. */
export function parseMilliseconds(text: string): number | undefined {
  if (!/^\d{1,8}$/.test(text)) return undefined;
  const ms = Number(text);
  return ms <= 86_400_000 ? ms : undefined;
}

export function parseSwitch(text: string): boolean | undefined {
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined;
}

/** A whole number between two others, both included. */
export function parseWholeNumber(least: number, most: number): Parser<number> {
  return (text) => {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  };
}

/** Five fields, as cron takes them. Loads the library only if the setting is given. */
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
