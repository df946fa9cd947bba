import { WorkBudget, withBudget } from "../../src/domain/work-budget.ts";
import { type Bench, digits, printTable } from "./support/figures.ts";
import { bodyInputs } from "./support/worst/bodies.ts";
import type { WorstInput } from "./support/worst/input.ts";
import { payloadInputs } from "./support/worst/payloads.ts";
import { storeInputs } from "./support/worst/store.ts";
import { textInputs } from "./support/worst/texts.ts";

const stepsPerMs = 100_000;
/** Processor time of one input: the clock of a thread moves in milliseconds. */
const measuredMsMin = 60;
const runsMax = 2_000;
/** The least share of its time that an input has to be charged. */
const chargedMin = 0.5;

async function measure({ prepare }: WorstInput): Promise<{ readonly chargedMs: number; readonly measuredMs: number }> {
  const work = await prepare();
  await withBudget(new WorkBudget(Number.POSITIVE_INFINITY), work);
  const budget = new WorkBudget(Number.POSITIVE_INFINITY);
  const before = process.threadCpuUsage();
  let [runs, measuredMs] = [0, 0];
  while (measuredMs < measuredMsMin && runs < runsMax) {
    await withBudget(budget, work);
    runs += 1;
    const { user, system } = process.threadCpuUsage(before);
    measuredMs = (user + system) / 1_000;
  }
  return { chargedMs: budget.steps / stepsPerMs / runs, measuredMs: measuredMs / runs };
}

async function run(): Promise<void> {
  const rows: string[][] = [];
  let tooLow = 0;
  for (const each of [...textInputs, ...bodyInputs, ...payloadInputs, ...storeInputs]) {
    const { chargedMs, measuredMs } = await measure(each);
    const share = chargedMs / measuredMs;
    if (share < chargedMin) tooLow += 1;
    const verdict = share < chargedMin ? "TOO LITTLE" : "";
    rows.push([each.constant, each.input, digits(chargedMs), digits(measuredMs), digits(share), verdict]);
  }
  printTable(["constant", "input", "charged ms", "CPU ms", "share", ""], rows);
  console.log(`  ${tooLow} of ${rows.length} inputs are charged less than ${chargedMin} of their time`);
  if (tooLow > 0) process.exitCode = 1;
}

export const bench: Bench = {
  title: "the steps that the worst inputs are charged, beside the processor time that they take",
  run,
};
