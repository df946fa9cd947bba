import { existsSync } from "node:fs";
import type { Static } from "@sinclair/typebox";
import { dayMs } from "../../../lib/datetime.ts";
import { jobs } from "../../core/background-jobs/records.ts";
import { countWaiting } from "../../core/deliveries/index.ts";
import { mailKind, UnsentLimit } from "../../core/outbox/index.ts";
import type { Context } from "../../kernel/context.ts";
import { listArchives } from "../backups/index.ts";
import type { Notice as NoticeSchema } from "./schema.ts";

type Notice = Static<typeof NoticeSchema>;

const littleSpaceBytes = 2_000_000_000;
/** A newest backup that is older counts as none. */
const backupDaysMax = 7;

/** `GET /-/attention`: the most urgent first. */
export async function listNotices(context: Context): Promise<Notice[]> {
  const notices = [
    noticeOfStore(context),
    noticeOfDisk(context),
    noticeOfCredentials(context),
    noticeOfJobs(context),
    await noticeOfBackups(context),
    noticeOfMails(context),
  ];
  return notices.filter((notice) => notice !== undefined);
}

function noticeOfStore({ store }: Context): Notice | undefined {
  const refusal = store.writeRefusal();
  if (refusal === undefined) return undefined;
  return { kind: "store_not_writable", text: `The store takes no writes: ${refusal}.`, advice: "The log says more." };
}

function noticeOfDisk({ store }: Context): Notice | undefined {
  const { freeBytes } = store.statistics();
  if (freeBytes === undefined || freeBytes >= littleSpaceBytes) return undefined;
  const text = `The disk of the data folder has ${Math.round(freeBytes / 1e6)} MB left.`;
  return { kind: "disk_low", text, advice: "Remove what is not needed, or move the data folder to a larger disk." };
}

function noticeOfCredentials({ credentialsFile }: Context): Notice | undefined {
  if (!existsSync(credentialsFile)) return undefined;
  return {
    kind: "credentials_file",
    text: `The file with root's first credentials is still there: ${credentialsFile}`,
    advice: "Keep what you need of it in a safe place, and delete it.",
  };
}

function noticeOfJobs({ store }: Context): Notice | undefined {
  const failed = store.of(jobs).by.state.find("failed").size;
  if (failed === 0) return undefined;
  const text = failed === 1 ? "1 background job has failed." : `${failed} background jobs have failed.`;
  return { kind: "failed_jobs", text, advice: "outpost api GET /-/jobs -F state=failed" };
}

/** The data of a sandbox is for tests. */
async function noticeOfBackups(context: Context): Promise<Notice | undefined> {
  if (context.sandbox !== undefined) return undefined;
  const [newest] = await listArchives(context);
  const isRecent = newest !== undefined && Date.parse(newest.written_at) > context.clock.now() - backupDaysMax * dayMs;
  if (isRecent) return undefined;
  const text =
    newest === undefined
      ? "There is no backup in the folder of backups."
      : `The newest backup is more than ${backupDaysMax} days old.`;
  const advice = "outpost api POST /-/backups makes one; --backup-schedule makes them by the clock.";
  return { kind: "no_backup", text, advice };
}

function noticeOfMails(context: Context): Notice | undefined {
  const { store, smtp } = context;
  const size = countWaiting(store, mailKind);
  const { dropped } = context.get(UnsentLimit);
  if (size === 0 && dropped === 0) return undefined;
  const waiting = size === 1 ? "1 mail waits to be sent." : `${size} mails wait to be sent.`;
  const text = dropped === 0 ? waiting : `${waiting} ${dropped} were dropped since the start: too many of one user.`;
  const advice =
    smtp === undefined
      ? "No mail leaves the machine without an SMTP server: --smtp-url."
      : "outpost api GET /-/outbox shows them; the log says why they wait.";
  return { kind: "unsent_mails", text, advice };
}
