import { Type } from "@sinclair/typebox";
import { ok, operation } from "../../kernel/operation.ts";
import { presentStartSetting } from "./present.ts";
import { Notice, StartSetting } from "./schema.ts";
import { listNotices } from "./service.ts";

/** The state of this server, for administrators (console 2). */
export const instanceOperations = [
  operation({
    method: "GET",
    path: "/-/settings",
    root: true,
    summary: "List the settings that the server was started with, and where each comes from",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(StartSetting)),
    async handle({ context }) {
      return (await context.listStartSettings()).map(presentStartSetting);
    },
  }),

  operation({
    method: "GET",
    path: "/-/attention",
    root: true,
    summary: "List what needs the attention of an administrator",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(Notice)),
    handle: ({ context }) => listNotices(context),
  }),
];
