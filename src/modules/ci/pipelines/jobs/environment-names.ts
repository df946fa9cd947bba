/** The facts that follow from the name of an environment: its slug and its tier. */

import { createHash } from "node:crypto";

const slugMax = 24;
/** Characters of a name that is shortened, before its hash. */
const shortenedLength = 17;
const suffixLength = 6;

/**
 * Returns a part of a host name: lower-case letters, digits and single hyphens, a letter first, at most 24 characters. A
 * name that is changed for it gets a hash behind it, so that two names have two slugs.
 */
export function environmentSlugOf(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "-");
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, "-");
  if (slug.length <= slugMax && slug === name) return slug.replace(/-$/, "");
  return `${slug.slice(0, shortenedLength).replace(/-$/, "")}-${suffixOf(name)}`;
}

function suffixOf(name: string): string {
  const digest = createHash("sha256").update(name).digest("hex");
  return BigInt(`0x${digest}`).toString(36).slice(-suffixLength);
}

const tiers: readonly (readonly [tier: string, pattern: RegExp])[] = [
  ["development", /dev|review|trunk/i],
  ["testing", /test|tst|int|ac(?:ce)?pt|qa|qc|control|quality/i],
  ["staging", /sta?g|mode?l|pre|demo|non/i],
  ["production", /pro?d|live/i],
];

/** The tier of an environment whose file names none. */
export function tierOf(name: string): string {
  return tiers.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
}
