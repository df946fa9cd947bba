/** The results of a run of tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const nothingRan: Tally = { passed: 0, failed: 0, skipped: 0 };

/** Reads the totals of a JUnit report, from the attributes of its `<testsuites>`; undefined when it has none. */
export function readTally(junit: string): Tally | undefined {
  const attributes = /<testsuites\b([^>]*)>/.exec(junit)?.[1];
  if (attributes === undefined) return undefined;
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  const skipped = count("skipped");
  return { passed: count("tests") - failed - skipped, failed, skipped };
}

/** Seconds that each file of a JUnit report took, by its path. */
export function readFileTimes(junit: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const [, attributes = ""] of junit.matchAll(/<testsuite\b([^>]*)>/g)) {
    const file = /\bfile="([^"]+)"/.exec(attributes)?.[1];
    const seconds = Number(/\btime="([\d.]+)"/.exec(attributes)?.[1]);
    // Suites in a suite name the same file: the outermost one took the longest.
    if (file !== undefined) times.set(file, Math.max(times.get(file) ?? 0, seconds));
  }
  return times;
}

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** `3 passed, 1 failed`, with `, 2 skipped` behind when there are any. */
export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
