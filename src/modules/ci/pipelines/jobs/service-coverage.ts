import { compilePattern, type LinearPattern, patternLengthMax } from "../../../../lib/text/linear-pattern.ts";
import type { Store } from "../../../../store/index.ts";
import { type JobKind, jobKind } from "../../../core/background-jobs/index.ts";
import { linesFromEnd } from "../../job-logs/index.ts";
import { jobCoverageKind, listCurrentJobs } from "../service-progress.ts";
import { type CiJobRecord, ciJobs } from "./records.ts";

/** Runners may put the time in front of each line. */
const timestamp = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{6}Z [0-9a-f]{2}[EO][+ ]/;

/** Looks for the coverage that the log of an ended job says. */
export const jobCoverage: JobKind = jobKind<{ readonly job_id: number }>({
  kind: jobCoverageKind,
  async run({ context: { store }, payload, pace, complete }) {
    const job = store.of(ciJobs).get(payload.job_id);
    const pattern = patternOf(job?.config.coverage);
    if (pattern === undefined) return;
    let coverage: number | undefined;
    for await (const line of linesFromEnd(store, payload.job_id)) {
      coverage = coverageIn(line.replace(timestamp, ""), pattern);
      if (coverage !== undefined) break;
      await pace();
    }
    store.transact((tx) => {
      const now = store.of(ciJobs).get(payload.job_id);
      if (now !== undefined && coverage !== undefined) tx.update(ciJobs, { ...now, coverage });
      complete(tx);
    });
  },
});

/** `/pattern/` of a CI file; undefined for none, and for what is no pattern of RE2. */
function patternOf(text: string | undefined): LinearPattern | undefined {
  const source = text !== undefined && /^\/.*\/$/s.test(text) ? text.slice(1, -1) : "";
  if (source === "" || source.length > patternLengthMax) return undefined;
  try {
    return compilePattern(source);
  } catch {
    return undefined;
  }
}

/** The first number in the last part of a line that is like the pattern; in its last group, if it has groups. */
function coverageIn(line: string, pattern: LinearPattern): number | undefined {
  const matcher = pattern.matcher(line);
  let found: string | null = null;
  while (matcher.find()) found = matcher.group(matcher.groupCount()) ?? null;
  const [number] = /\d+(?:\.\d+)?/.exec(found ?? "") ?? [];
  return number === undefined || number.length > numberLengthMax ? undefined : Number(number);
}

const numberLengthMax = 15;

/** The mean coverage of the jobs of a pipeline that say one, with two digits behind the point; null for none. */
export function coverageOfPipeline(store: Store, pipelineId: number): string | null {
  const known = listCurrentJobs(store, pipelineId).flatMap(({ coverage }: CiJobRecord) => coverage ?? []);
  return known.length === 0 ? null : (known.reduce((sum, each) => sum + each, 0) / known.length).toFixed(2);
}
