/** Semantic versions, and where one belongs among others. */

const pattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

export interface Version {
  readonly numbers: readonly number[];
  /** The pre-release part: `rc1`. */
  readonly prerelease: string | undefined;
  readonly build: string | undefined;
}

/** undefined for what is none. */
export function parseVersion(text: string): Version | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, major, minor, patch, prerelease, build] = found;
  return { numbers: [major, minor, patch].map(Number), prerelease, build };
}

/** Negative when `one` is older. */
export function compareVersions(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.prerelease === other.prerelease) return 0;
  if (one.prerelease === undefined || other.prerelease === undefined) return one.prerelease === undefined ? 1 : -1;
  return comparePrereleases(one.prerelease.split("."), other.prerelease.split("."));
}

/** Numbers come before words, and fewer parts before more. */
function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [at, part] of one.entries()) {
    const counterpart = other[at];
    if (counterpart === undefined) return 1;
    if (part === counterpart) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(counterpart)];
    if (isNumber && isOtherNumber) return Number(part) - Number(counterpart);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < counterpart ? -1 : 1;
  }
  return one.length - other.length;
}
