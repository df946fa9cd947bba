import { Type } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { idInPath } from "../../../domain/parameters.ts";
import type { Context } from "../../kernel/context.ts";
import { created, operation, pageOf } from "../../kernel/operation.ts";
import { follow, listFollowees, listFollowers, unfollow } from "../follows/index.ts";
import { canSeeProfile } from "./policy.ts";
import { presentBasicUser } from "./present.ts";
import type { UserRecord } from "./records.ts";
import { BasicUser } from "./schema.ts";
import { getUser } from "./service.ts";

const UserInPath = Type.Object({ id: idInPath("user id") });

/** Throws 404 for a profile that this caller does not see, as for one that does not exist. */
function getVisibleUser(context: Context, caller: SignedInCaller, id: number): UserRecord {
  const user = getUser(context.store, id);
  if (!canSeeProfile(context, caller, user)) throw notFound("User");
  return user;
}

/** users-and-auth 6. */
export const followOperations = [
  ...(
    [
      ["followers", "List the followers of a user", listFollowers],
      ["following", "List the users followed by a user", listFollowees],
    ] as const
  ).map(([name, summary, list]) =>
    operation({
      method: "GET",
      path: `/users/:id/${name}`,
      summary,
      who: "signed_in",
      scopes: ["read_user"],
      params: UserInPath,
      answer: pageOf(BasicUser),
      handle(call) {
        const { context, caller, params, page } = call;
        const user = getVisibleUser(context, caller, params.id);
        const ids = list(context.store, user.id, page);
        return mapPage(ids, (id) => presentBasicUser(getUser(context.store, id), call));
      },
    }),
  ),

  ...(
    [
      ["follow", "Follow a user", follow],
      ["unfollow", "Unfollow a user", unfollow],
    ] as const
  ).map(([name, summary, act]) =>
    operation({
      method: "POST",
      path: `/users/:id/${name}`,
      summary,
      who: "signed_in",
      params: UserInPath,
      answer: created(BasicUser),
      failures: ["unchanged"],
      handle(call) {
        const { context, caller, params } = call;
        const user = getUser(context.store, params.id);
        act(context, caller.user.id, user.id);
        return presentBasicUser(user, call);
      },
    }),
  ),
];
