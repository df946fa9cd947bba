import { Type } from "@sinclair/typebox";
import { ok, operation } from "../../kernel/operation.ts";
import { UserCounts } from "./schema.ts";
import { countsOf } from "./service.ts";

export const userCountsOperations = [
  operation({
    method: "GET",
    path: "/user_counts",
    summary: "Count the open items of the current user",
    who: "signed_in",
    scopes: ["read_user"],
    params: Type.Object({}),
    answer: ok(UserCounts),
    handle: ({ context, caller }) => countsOf(context, caller),
  }),
];
