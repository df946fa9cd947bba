import { Type } from "@sinclair/typebox";
import { oneOf } from "../../../domain/parameters.ts";

/** A setting that the server was started with. */
export const StartSetting = Type.Object(
  {
    name: Type.String(),
    help: Type.String({ description: "what the setting does" }),
    flag: Type.String({ description: "of the command line" }),
    variable: Type.String({ description: "of the environment" }),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: "null: not set, or hidden",
    }),
    is_hidden: Type.Boolean({ description: "it is set, and the value is secret" }),
    from: oneOf(["flag", "variable", "default"], { description: "what decided the value" }),
  },
  { $id: "StartSetting" },
);

export const noticeKinds = [
  "store_not_writable",
  "disk_low",
  "credentials_file",
  "failed_jobs",
  "no_backup",
  "unsent_mails",
] as const;

/** A problem that needs an administrator. */
export const Notice = Type.Object(
  {
    kind: oneOf(noticeKinds),
    text: Type.String({ description: "what is wrong" }),
    advice: Type.String({ description: "what to do" }),
  },
  { $id: "Notice" },
);
