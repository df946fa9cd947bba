/** The rule about the storage that a request names. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import type { Context } from "../../kernel/context.ts";

/**
 * The storage that an administrator names; undefined for none, and for others, whose wish is dropped in silence
 * (groups-and-projects 3.3). Throws 400 for an unknown name.
 */
export function validateStorage(
  { repositories }: Context,
  { user }: SignedInCaller,
  name: string | null | undefined,
): string | undefined {
  if (!user.is_admin || !name) return undefined;
  if (!repositories.storageNames.includes(name)) throw invalid({ repository_storage: ["is not included in the list"] });
  return name;
}
