import {
  compilationSteps,
  compilePattern,
  type LinearPattern,
  patternLengthMax,
} from "../../../../lib/text/linear-pattern.ts";
import type { Store } from "../../../../store/index.ts";
import { type JobKind, jobKind } from "../../../core/background-jobs/index.ts";
import { linesFromEnd } from "../../job-logs/index.ts";
import { type CiJobRecord, ciJobs } from "../records-jobs.ts";
import { jobCoverageKind, listCurrentJobs } from "../service-progress.ts";

/** Runners may put the time in front of each line. */
const timestamp = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{6}Z [0-9a-f]{2}[EO][+ ]/;

/** Patterns that take longer to compile, or have more instructions, find nothing: no person writes them. */
const [compilationStepsMax, instructionsMax] = [25_000, 1_000];
/**
 * Instructions of a pattern that are tried on characters: in one search, which nothing interrupts, in one line, and for one
 * job. An ordinary pattern looks through all of a log that is read.
 */
const [triesPerSearch, triesPerLine, triesPerJob] = [100_000, 2_000_000, 400_000_000];

/** Looks for the coverage that the log of an ended job says. */
export const jobCoverage: JobKind = jobKind<{ readonly job_id: number }>({
  kind: jobCoverageKind,
  async run({ context: { store }, payload, pace, complete }) {
    const job = store.of(ciJobs).get(payload.job_id);
    const pattern = patternOf(job?.config.coverage);
    if (pattern === undefined) return;
    let coverage: number | undefined;
    let triesLeft = triesPerJob;
    for await (const line of linesFromEnd(store, payload.job_id)) {
      const search = new LineSearch(line.replace(timestamp, ""), pattern);
      while (search.findNext()) await pace();
      triesLeft -= search.tries;
      coverage = search.coverage();
      if (coverage !== undefined || triesLeft <= 0) break;
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
  if (compilationSteps(source) > compilationStepsMax) return undefined;
  try {
    const pattern = compilePattern(source);
    return pattern.programSize() > instructionsMax ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/** The search for the coverage that a line says. */
class LineSearch {
  readonly #pattern: LinearPattern;
  readonly #line: string;
  readonly #matcher: ReturnType<LinearPattern["matcher"]>;
  #found: string | null = null;
  tries = 0;

  /** Only the beginning of a long line is searched. */
  constructor(line: string, pattern: LinearPattern) {
    this.#pattern = pattern;
    this.#line = line.slice(0, triesPerSearch / pattern.programSize());
    this.#matcher = pattern.matcher(this.#line);
  }

  /** Goes on to the next part that is like the pattern. A search may read the rest of the line for each of them. */
  findNext(): boolean {
    if (this.tries > triesPerLine) return false;
    const end = this.#found === null ? 0 : this.#matcher.end();
    this.tries += this.#pattern.programSize() * (1 + this.#line.length - end);
    if (!this.#matcher.find()) return false;
    this.#found = this.#matcher.group(this.#matcher.groupCount()) ?? "";
    return true;
  }

  /** The first number in the last part that is like the pattern; in its last group, if it has groups. */
  coverage(): number | undefined {
    if (this.tries > triesPerLine) return undefined;
    const [number] = /\d+(?:\.\d+)?/.exec(this.#found ?? "") ?? [];
    return number === undefined || number.length > numberLengthMax ? undefined : Number(number);
  }
}

const numberLengthMax = 15;

/** The mean coverage of the jobs of a pipeline that say one, with two digits behind the point; null for none. */
export function coverageOfPipeline(store: Store, pipelineId: number): string | null {
  const known = listCurrentJobs(store, pipelineId).flatMap(({ coverage }: CiJobRecord) => coverage ?? []);
  return known.length === 0 ? null : (known.reduce((sum, each) => sum + each, 0) / known.length).toFixed(2);
}
