import { Type } from "@sinclair/typebox";
import { ok, operation } from "../../kernel/operation.ts";
import { UnknownCall } from "./schema.ts";
import { UnknownCalls } from "./service.ts";

export const unknownCallOperations = [
  operation({
    method: "GET",
    path: "/-/unknown-calls",
    root: true,
    summary: "List calls that no operation answers",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(UnknownCall)),
    handle({ context }) {
      return context.get(UnknownCalls).list();
    },
  }),
];
