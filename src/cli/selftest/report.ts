import type { AreaResult, FailedCall } from "./runner.ts";

/** The result of a run, as `--json` prints it. */
export interface Summary {
  readonly url: string;
  /** The group of the run. It remains on the server only with `--keep`. */
  readonly group: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** True when a signal ended the run early. */
  readonly interrupted: boolean;
  readonly areas: readonly {
    readonly name: string;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: Readonly<Record<string, number>>;
    readonly failures: readonly FailedCall[];
  }[];
  /** The failed calls that should have removed the run's resources. */
  readonly left: readonly string[];
}

/** The facts about a run besides its results. */
export interface RunEnd extends Pick<Summary, "url" | "group" | "left" | "interrupted"> {
  readonly ms: number;
}

export function summaryOf(results: readonly AreaResult[], { ms, ...end }: RunEnd): Summary {
  const sum = (count: (result: AreaResult) => number) => results.reduce((total, each) => total + count(each), 0);
  return {
    ...end,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length),
    skipped: sum(({ skipped }) => skippedIn(skipped)),
    seconds: Math.round(ms / 100) / 10,
    areas: results.map(({ area, passed, failures, skipped }) => ({
      name: area,
      passed,
      failed: failures.length,
      skipped: Object.fromEntries(skipped),
      failures,
    })),
  };
}

function skippedIn(skipped: ReadonlyMap<string, number>): number {
  return [...skipped.values()].reduce((total, each) => total + each, 0);
}

/** Returns the readable result: one line for each area, three for each failure. */
export function formatSummary({ areas, passed, failed, skipped, seconds, interrupted, left }: Summary): string {
  const width = Math.max(...areas.map(({ name }) => name.length));
  const lines = areas.flatMap((area) => {
    const reasons = Object.entries(area.skipped).map(([reason, count]) => `, ${count} skipped (${reason})`);
    const counts = `${area.passed} passed${area.failed === 0 ? "" : `, ${area.failed} FAILED`}${reasons.join("")}`;
    return [`${area.name.padEnd(width)}  ${counts}`, ...area.failures.flatMap(linesOf)];
  });
  const end = interrupted ? ", interrupted" : "";
  const remains = left.map((each) => `not removed: ${each}`);
  return `${[...lines, ...remains, `${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s${end}`].join("\n")}\n`;
}

function linesOf({ call, expected, received }: FailedCall): string[] {
  return [`  ${call}`, `    expected: ${expected}`, `    received: ${received}`];
}
