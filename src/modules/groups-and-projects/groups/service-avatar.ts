import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { avatarContent } from "../../kernel/uploaded-avatar.ts";
import { groups } from "./records.ts";

/** The picture of a group that the caller sees. Throws 404 for all but the name that it has now. */
export function getGroupAvatar(context: Context, caller: Caller, id: number, filename: string): FileContent {
  const group = context.store.of(groups).get(id);
  if (group === undefined || !context.get(Access).canSeeGroup(caller.user, group)) throw notFound();
  if (group.avatar?.filename !== filename) throw notFound();
  return avatarContent(context, group.avatar);
}
