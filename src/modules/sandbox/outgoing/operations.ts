import { Type } from "@sinclair/typebox";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentOutgoingCall } from "./present.ts";
import { OutgoingCall } from "./schema.ts";

/** sandbox 5 */
export const outgoingOperations = [
  operation({
    method: "GET",
    path: "/-/sandbox/outgoing",
    root: true,
    summary: "List the last calls that --outgoing sink has kept, newest first",
    who: "administrator_first",
    http: { partOf: "sandbox" },
    params: Type.Object({}),
    answer: pageOf(OutgoingCall, { isOutsideStore: true }),
    handle({ context, page }) {
      return mapPage(pageOfAll(context.sandbox?.listSunkCalls() ?? [], page), presentOutgoingCall);
    },
  }),
];
