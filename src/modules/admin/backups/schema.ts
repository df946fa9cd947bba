import { Type } from "@sinclair/typebox";
import { text } from "../../../domain/parameters.ts";

const dateTime = (description: string) => Type.String({ format: "date-time", description });
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

/** An archive in the folder of backups. */
export const BackupArchive = Type.Object(
  {
    name: Type.String({ description: "of the file" }),
    bytes: Type.Integer(),
    written_at: dateTime("when its last byte was written"),
  },
  { $id: "BackupArchive" },
);

/** The folder of backups, newest archive first, and what happens in it. */
export const BackupFolder = Type.Object(
  {
    folder: Type.String({ description: "path on the server" }),
    schedule: orNull(Type.String(), "cron pattern in UTC; null: no backup is made by the clock"),
    keep: Type.Integer({ description: "archives that stay when a scheduled one is added" }),
    running: Type.Union(
      [
        Type.Object({
          name: Type.String(),
          started_at: dateTime("when it was asked for"),
          done_bytes: Type.Integer({ description: "of its files, unpacked, so far" }),
          total_bytes: orNull(Type.Integer(), "null: not known yet"),
        }),
        Type.Null(),
      ],
      { description: "the archive that was asked for and is being made" },
    ),
    last_error: orNull(Type.String(), "why the last archive that was asked for is not there"),
    archives: Type.Array(BackupArchive, { description: "at most 1,000" }),
  },
  { $id: "BackupFolder" },
);

/** The figures of a whole archive. */
export const VerifiedBackup = Type.Object(
  {
    name: Type.String(),
    created_at: dateTime("the moment whose state it has"),
    release: Type.String({ description: "of Outpost" }),
    journal_position: Type.Integer({ description: "number of the last transaction in it" }),
    files: Type.Integer(),
    bytes: Type.Integer({ description: "of its files, unpacked" }),
  },
  { $id: "VerifiedBackup" },
);

export const OneBackup = Type.Object({ name: text({ maxLength: 255, description: "of an archive in the list" }) });
