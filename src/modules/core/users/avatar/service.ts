import type { SignedInCaller } from "../../../../domain/caller.ts";
import { invalid, notFound } from "../../../../domain/failure.ts";
import type { Upload } from "../../../../domain/parameters.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Context } from "../../../kernel/context.ts";
import type { FileContent } from "../../../kernel/operation.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { avatarContent, avatarProblem, withStoredAvatar } from "../../../kernel/uploaded-avatar.ts";
import { userEvents } from "../events.ts";
import type { UserRecord } from "../records.ts";
import { findUser, getUser } from "../service.ts";

/** `PUT /user/avatar` (users-and-auth 13). Throws 400 for what is no picture, or too big a one. */
export async function updateOwnAvatar(context: Context, caller: SignedInCaller, upload: Upload): Promise<UserRecord> {
  const problem = avatarProblem(upload);
  if (problem !== undefined) throw invalid(`Avatar ${problem}`);
  return withStoredAvatar(context, upload, (avatar) =>
    context.store.transact((tx) => {
      // While the picture was written, the caller may have lost the right.
      const user = getUser(context.store, caller.user.id);
      if (avatar === undefined) return user;
      const updated_at = toDateTime(context.clock.now());
      return updateRecord(tx, context, caller, userEvents, { ...user, avatar, updated_at });
    }),
  );
}

/** The uploaded picture of a user. Throws 404 for all but the name that it has now. */
export function getAvatar(context: Context, id: number, filename: string): FileContent {
  const avatar = findUser(context.store, id)?.avatar;
  if (avatar?.filename !== filename) throw notFound();
  return avatarContent(context, avatar);
}
