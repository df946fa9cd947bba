import { basename } from "node:path";
import { makeStoreIn, type Staging, syncBelow } from "../../../archive/index.ts";
import type { Config } from "../../../config/config.ts";
import { Failure } from "../../../domain/failure.ts";
import { StartError } from "../../../domain/start-error.ts";
import { dayMs, parseCalendarDate } from "../../../lib/datetime.ts";
import { silentLog } from "../../../lib/log.ts";
import { systemRandomness } from "../../../lib/randomness.ts";
import { shellWord } from "../../../lib/text/shell-word.ts";
import { type Call, organisationIn, type SeedReport, seededRandomness, seedOrganisation } from "../../../seed/index.ts";
import { createServerContext, credentialsFileOf, startFirstTime } from "../../../server/bootstrap.ts";
import { systemDisk, withoutSyncs } from "../../../store/index.ts";
import { type CurlTarget, curlTo } from "../../endpoint.ts";
import { createLog } from "../../log/logger.ts";
import { amountOf, durationOf, Progress } from "../../output/progress.ts";
import { printJson, printTable } from "../../output/table.ts";
import { printMessage } from "../../output/terminal.ts";
import { wrongUse } from "../../store-access.ts";
import { fromHere } from "../server/serve.ts";

export interface SeedFlags {
  readonly scale: string;
  /** Default: 1, but with random tokens. */
  readonly rngSeed: string | undefined;
  readonly until: string | undefined;
  readonly json: boolean;
  /** The URL of a server on that folder; undefined when unknown, since each start chooses a port. */
  readonly url: string | undefined;
}

/** The checked flags. */
interface Wanted {
  readonly scale: number;
  readonly seed: number;
  readonly isSeedGiven: boolean;
  readonly until: number;
  /** The task name in the progress bar. */
  readonly task: string;
}

/**
 * Fills a stopped store, and prints the users and what to try. If no one can read the printed tokens, it makes no store.
 * Throws `StartError` for wrong use, for a folder that a server uses, and for a store with an organisation.
 */
export async function seed(flags: SeedFlags, config: Config): Promise<void> {
  const wanted = check(flags);
  const begun = performance.now();
  const way = curlTo({ origin: flags.url ?? "http://127.0.0.1:PORT", authority: undefined }, fromHere);
  const linesOf = (report: SeedReport) =>
    report.calls.map((call) => ({ about: call.about, command: commandOf(call, report, way) }));
  const report = await fill(config, wanted, "outpost seed", async (filled) => {
    const isTold = flags.json ? await printAsJson(filled, wanted, linesOf(filled)) : await printTokens(filled);
    if (!isTold) throw new StartError("stdout is closed, so the tokens would be lost", "outpost seed > FILE");
  });
  if ("found" in report) {
    const found = `the store in ${config.dataFolder} already contains ${report.found}; seed fills only new stores`;
    const folder = shellWord(config.dataFolder);
    throw new StartError(
      found,
      `outpost serve --data ${folder}, which serves it; or outpost seed --data DIR, with another`,
    );
  }
  const took = durationOf((performance.now() - begun) / 1000);
  printMessage(`${amountOf(report.documents, "documents")} in ${took}; the tokens are shown only once`);
  const credentials = credentialsFileOf(config);
  if (systemDisk.exists(credentials)) printMessage(`  root         ${fromHere(credentials)}`);
  printMessage(`  serve        outpost serve --data ${config.dataFolder}`);
  for (const { about, command } of flags.json ? [] : linesOf(report)) printMessage(`  # ${about}\n  ${command}`);
}

function printAsJson({ accounts, documents }: SeedReport, { seed, scale }: Wanted, calls: object): Promise<boolean> {
  return printJson({ documents, seed, scale, accounts, calls });
}

function printTokens({ accounts }: SeedReport): Promise<boolean> {
  const rows = accounts.map(({ username, token, role }) => [username, token, role]);
  return printTable(["Username", "Token", "Role"], rows);
}

/**
 * Fills a new store for the demo, and for examples, which are the same in each build. Returns undefined when the store has
 * an organisation already.
 */
export async function seedFresh(
  config: Config,
  { task, ...given }: Partial<Pick<SeedFlags, "rngSeed" | "until"> & Pick<Wanted, "task">> = {},
): Promise<SeedReport | undefined> {
  const wanted = {
    ...check({ scale: "1", rngSeed: given.rngSeed, until: given.until }),
    ...(task === undefined ? {} : { task }),
  };
  const report = await fill(config, wanted, "outpost demo", async () => {});
  return "found" in report ? undefined : report;
}

/**
 * Fills the store of a folder, unless it has an organisation: then it returns what it found. Calls `printReport`, which alone gets
 * the tokens, before the new store replaces the old one. On an error, also one of `printReport`, the store is unchanged.
 */
async function fill(
  config: Config,
  wanted: Wanted,
  command: string,
  printReport: (report: SeedReport) => Promise<void>,
): Promise<SeedReport | { readonly found: string }> {
  const found = await organisationBefore(config);
  if (found !== undefined) return { found };
  const gather = async (staging: Staging) => {
    const report = await fillStaging(config, wanted, staging);
    await printReport(report);
    return report;
  };
  return makeStoreIn(config, command, gather, { existing: "replaced" });
}

async function organisationBefore(config: Config): Promise<string | undefined> {
  const { dataFolder } = config;
  if (!systemDisk.exists(`${dataFolder}/manifest.json`)) return undefined;
  const { context } = await createServerContext(config, createLog(config));
  try {
    return organisationIn(context.store);
  } finally {
    await context.store.close();
  }
}

/** Fills a new generation, which is discarded unless it becomes complete. So it needs only one sync, at the end. */
async function fillStaging(
  config: Config,
  { isSeedGiven, task, ...settings }: Wanted,
  { generation, folder, storages }: Staging,
): Promise<SeedReport> {
  // The file has the tokens of users who have no password yet.
  const credentials = credentialsFileOf(config);
  if (systemDisk.exists(credentials)) systemDisk.link(credentials, `${folder}/${basename(credentials)}`);
  const randomness = isSeedGiven ? seededRandomness(settings.seed) : systemRandomness;
  const disk = withoutSyncs(systemDisk);
  const { context } = await createServerContext(config, silentLog, { randomness, disk, draft: generation });
  const progress = new Progress({ task, unit: "documents" });
  using stop = noteStop();
  let report: SeedReport;
  try {
    let first: ReturnType<typeof startFirstTime>;
    const begin = (then: typeof context) => {
      first = startFirstTime(then, config, generation);
    };
    report = await seedOrganisation(context, settings, begin, (done, total) => {
      stop.throwIfAsked();
      progress.set(done, total);
    });
    // The first server generates a missing password and writes it to the file.
    if (config.rootPassword !== undefined) await first?.setRootPassword();
    // The next start reads segments faster than a long journal.
    await context.store.checkpoint();
  } catch (error) {
    // The cause of a refused change may be a full disk.
    throw error instanceof Failure ? (error.cause ?? error) : error;
  } finally {
    progress.end();
    await context.store.close();
  }
  for (const each of storages.values()) await syncBelow(each, "folders");
  await syncBelow(folder, "everything");
  stop.throwIfAsked();
  return report;
}

/** Notes the first signal to stop. A second one ends the process, as by default. */
function noteStop() {
  const signals = ["SIGTERM", "SIGINT"] as const;
  let isAskedFor = false;
  const note = () => {
    isAskedFor = true;
  };
  for (const signal of signals) process.once(signal, note);
  return {
    throwIfAsked() {
      if (isAskedFor) throw new StartError("the seed was interrupted; nothing was changed", "outpost seed --data DIR");
    },
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, note);
    },
  };
}

/** Returns the command as the user types it. */
export function commandOf(
  { as, method, path, form = {} }: Call,
  { accounts }: SeedReport,
  { curl, base }: CurlTarget,
): string {
  const token = accounts.find(({ username }) => username === as)?.token ?? "";
  const fields = Object.entries(form).map(([name, value]) => ` -d '${name}=${value}'`);
  const words = method === "GET" ? "" : fields.join("");
  return `${curl} -H "PRIVATE-TOKEN: ${token}"${words} "${base}/api/v4${path}"`;
}

function check({ scale, rngSeed, until }: Pick<SeedFlags, "scale" | "rngSeed" | "until">): Wanted {
  if (!isWhole(scale, 1, 1000)) throw wrongUse("seed", `--scale is ${JSON.stringify(scale)}; expected 1 to 1000`);
  if (rngSeed !== undefined && !isWhole(rngSeed, 0, Number.MAX_SAFE_INTEGER)) {
    throw wrongUse("seed", `--rng-seed is ${JSON.stringify(rngSeed)}; expected a whole number`);
  }
  if (until !== undefined && parseCalendarDate(until) === undefined) {
    throw wrongUse("seed", `--until is ${JSON.stringify(until)}; expected a date such as 2027-01-31`);
  }
  const day = until === undefined ? Math.floor(Date.now() / dayMs) * dayMs : Date.parse(`${until}T00:00:00.000Z`);
  return {
    scale: Number(scale),
    seed: Number(rngSeed ?? 1),
    isSeedGiven: rngSeed !== undefined,
    until: day,
    task: "seeding",
  };
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}
