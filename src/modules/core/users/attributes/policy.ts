import { type Failure, invalid } from "../../../../domain/failure.ts";
import type { Store } from "../../../../store/index.ts";
import { findNamespaceByPath } from "../../namespaces/index.ts";
import { findAddress } from "../emails/service-addresses.ts";
import { type IdentityRecord, identityKey, users } from "../records.ts";

const taken = ["has already been taken"];

/** `ownId`: the user who is being changed, and to whom nothing of their own is taken. `conflict` makes the failure. */
interface Claim {
  readonly ownId?: number;
  readonly conflict: (text: string) => Failure;
}

/** Throws when another user has the address: `conflict` for one that counts, 400 for an unconfirmed secondary one. */
export function requireFreeEmail(store: Store, email: string, { ownId, conflict }: Claim): void {
  const holder = findAddress(store, email);
  if (holder === undefined || holder.userId === ownId) return;
  if (holder.secondary?.confirmed_at === null) throw invalid({ email: taken });
  throw conflict("Email has already been taken");
}

/** Throws when another user has the username, or a group the path. */
export function requireFreeUsername(store: Store, username: string, { ownId, conflict }: Claim): void {
  const namespace = findNamespaceByPath(store, username);
  if (namespace === undefined || (ownId !== undefined && namespace.owner_id === ownId)) return;
  if (namespace.kind === "group") throw invalid({ username: taken });
  throw conflict("Username has already been taken");
}

/** Throws 400 when another user has one of these identities. */
export function requireFreeIdentities(store: Store, identities: readonly IdentityRecord[], ownId?: number): void {
  const { identity } = store.of(users).by;
  for (const each of identities) {
    const holders = identity.find(identityKey(each));
    if ([...holders].some((id) => id !== ownId)) throw invalid({ "identities.extern_uid": taken });
  }
}
