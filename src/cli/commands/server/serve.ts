import { relative, sep } from "node:path";
import type { Config } from "../../../config/config.ts";
import { amountsOf } from "../../../fixtures/fixture.ts";
import { type App, startApp } from "../../../server/app.ts";
import { logThreadProgram } from "../../../workers.ts";
import { curlTo } from "../../endpoint.ts";
import { createLog } from "../../log/logger.ts";
import { LogThread } from "../../log/thread/log-thread.ts";
import { openingProgress } from "../../output/progress.ts";
import { readRootToken } from "../../root-credentials.ts";
import { notifySystemd } from "../../service-manager.ts";
import { stopSignal } from "../../stop-signal.ts";

/** Returns the message on stderr for a started server. */
export type StartMessage = (app: App, config: Config) => Promise<string> | string;

/**
 * Serves until SIGTERM or SIGINT, then finishes current requests. Prints one line on stdout, for which scripts wait, and
 * everything else on stderr. Throws `StartError` when the server cannot start.
 */
export async function serve(config: Config, startMessage: StartMessage = firstSteps): Promise<void> {
  const stopped = stopSignal();
  const output = new LogThread(config, logThreadProgram);
  // Only the log may write to stderr while the server answers requests: a reader that does not read would block them.
  const write = (text: string) => {
    output.write(text);
    output.flush();
  };
  const printLine = (text: string) => write(`${text}\n`);
  const progress = openingProgress(write);
  const log = createLog(config, output);
  try {
    const app = await startApp(config, log, { onProgress: progress.follow }).finally(() => progress.end());
    try {
      notifySystemd("READY=1", printLine);
      console.log(`outpost listening on ${app.origin}`);
      // Without a flush: the log's thread starts with its first lines, and would delay the first requests.
      output.write(`${await startMessage(app, config)}\n`);
      output.watch(app.activity);
      await stopped;
    } finally {
      notifySystemd("STOPPING=1", printLine);
      await app.stop();
    }
    if (log.isForPeople) printLine("stopped");
  } finally {
    output.end();
  }
}

async function firstSteps(app: App, config: Config): Promise<string> {
  // Imported here, since it needs modules that are loaded once the server listens.
  const { apiPageLines, consoleLines } = await import("../../console-link.ts");
  const { dataFolder } = config;
  const { credentialsFile } = app;
  const { curl, base } = curlTo(app, fromHere);
  // A restored store may get a password in this file, but its tokens are older.
  const hasToken = credentialsFile !== undefined && (await readRootToken(dataFolder)) !== undefined;
  const token = hasToken ? "<token from that file>" : "<your token>";
  return [
    ...(credentialsFile === undefined ? [] : [`  credentials  ${fromHere(credentialsFile)}   (user root)`]),
    ...(credentialsFile === undefined ? [] : await consoleLines(app, config)),
    ...apiPageLines(app, config),
    ...trustLines(app),
    `  try          ${curl} -H "PRIVATE-TOKEN: ${token}" ${base}/api/v4/user`,
    ...sandboxLines(app, config),
    `  stop         Ctrl-C; ${fateOf(config)}`,
  ].join("\n");
}

/** Returns the lines that say that the store is for tests, even if the server serves it as an ordinary one. */
export function sandboxLines({ fixture, isMadeForTests }: App, { sandbox, memory, dataFolder }: Config): string[] {
  if (!sandbox && isMadeForTests) {
    return ["  sandbox      off: its clock, faults and checkpoints need --sandbox   (outpost help sandbox)"];
  }
  if (!sandbox) return [];
  return [
    `  sandbox      ${memory ? `in memory, ${dataFolder}` : "for tests"}   (outpost help sandbox)`,
    ...(fixture === undefined ? [] : [`  fixture      made ${amountsOf(fixture)}`]),
  ];
}

/** Returns the line about the data after the stop. */
export function fateOf({ memory }: Config): string {
  return memory ? "everything is gone then" : "everything acknowledged is on disk";
}

/** Returns the lines that say how clients trust the server's own certificate. */
export function trustLines({ authority }: App): string[] {
  if (authority === undefined) return [];
  const file = fromHere(authority.file);
  return [
    `  authority    ${file}   (SHA-256 ${authority.fingerprint})`,
    `  trust it     SSL_CERT_FILE=${file}   (Python, curl; NODE_EXTRA_CA_CERTS for Node), or for the whole machine:`,
    `               sudo cp ${file} /usr/local/share/ca-certificates/outpost.crt && sudo update-ca-certificates`,
  ];
}

/** Returns the shorter of the absolute path and the relative one. */
export function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : `.${sep}${short}`;
}
