import { Type } from "@sinclair/typebox";
import { accepted, file, noContent, ok, operation } from "../../kernel/operation.ts";
import { BackupFolder, OneBackup, VerifiedBackup } from "./schema.ts";
import { deleteArchive, getArchivePath, getBackupFolder, RequestedBackup, verifyArchive } from "./service-folder.ts";

/** A large archive takes minutes to read. */
const verifySeconds = 3_600;

/** The archives in the folder of backups (console 2). */
export const backupFolderOperations = [
  operation({
    method: "GET",
    path: "/-/backups",
    root: true,
    summary: "List the archives in the folder of backups, with its schedule",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(BackupFolder),
    handle: ({ context }) => getBackupFolder(context),
  }),

  operation({
    method: "POST",
    path: "/-/backups",
    root: true,
    summary: "Make a backup in the folder of backups",
    who: "administrator",
    params: Type.Object({}),
    answer: accepted(),
    failures: ["conflict"],
    handle({ context, caller }) {
      context.get(RequestedBackup).start();
      const { id, username } = caller.user;
      context.log.info({ user_id: id, username }, "a backup was asked for");
    },
  }),

  operation({
    method: "GET",
    path: "/-/backups/:name",
    root: true,
    summary: "Download an archive from the folder of backups",
    who: "administrator",
    params: OneBackup,
    answer: file({ maxAgeS: 0, hasRanges: true }),
    failures: ["not_found"],
    async handle({ context, caller, params: { name } }) {
      const path = await getArchivePath(context, name);
      const { id, username } = caller.user;
      context.log.info({ file: path, user_id: id, username }, "a backup is being downloaded");
      return {
        contentType: "application/gzip",
        content: Bun.file(path),
        headers: { "Content-Disposition": `attachment; filename="${name}"` },
      };
    },
  }),

  operation({
    method: "POST",
    path: "/-/backups/:name/verify",
    root: true,
    summary: "Verify that an archive is whole",
    who: "administrator",
    http: { longPollSeconds: verifySeconds },
    params: OneBackup,
    answer: ok(VerifiedBackup),
    failures: ["not_found", "unprocessable"],
    handle: ({ context, params: { name } }) => verifyArchive(context, name),
  }),

  operation({
    method: "DELETE",
    path: "/-/backups/:name",
    root: true,
    summary: "Delete an archive from the folder of backups",
    who: "administrator",
    params: OneBackup,
    answer: noContent(),
    failures: ["not_found"],
    handle: ({ context, params: { name } }) => deleteArchive(context, name),
  }),
];
