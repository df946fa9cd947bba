/** The SAML identities of users. */

import type { Store } from "../../../../store/index.ts";
import { type IdentityRecord, type UserRecord, users } from "../records.ts";

/** A top-level group has single sign-on as soon as one account signs in through it (members-and-access 4.2). */
export function hasSamlUsers(store: Store, groupId: number): boolean {
  return store.of(users).by.saml_group.find(groupId).size > 0;
}

/** The identity that makes an account an enterprise user of the group. */
export function samlIdentityOf({ identities }: UserRecord, groupId: number): IdentityRecord | undefined {
  return identities.find((identity) => identity.group_id_for_saml === groupId);
}
