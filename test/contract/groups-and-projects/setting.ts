import { accessLevels } from "../../../src/domain/access-level.ts";
import { holderKey } from "../../../src/domain/source.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import type { World } from "../../support/fixtures/world.ts";

/** Makes somebody a direct member of a group, or of a project, or gives them another role there. */
export function addMember(
  { store, clock }: World,
  source: { readonly id: number },
  person: { readonly id: number },
  role: keyof typeof accessLevels,
  type: "group" | "project" = "group",
): void {
  const rows = store.of(memberships);
  const known = rows.by.holder.find(holderKey({ type, id: source.id }, person.id));
  const before = known === undefined ? undefined : rows.get(known);
  store.transact((tx) => {
    if (before !== undefined) tx.remove(memberships, before.id);
    tx.insert(memberships, {
      id: tx.nextId("memberships"),
      source_type: type,
      source_id: source.id,
      user_id: person.id,
      access_level: accessLevels[role],
      state: "active",
      expires_at: null,
      created_by_id: null,
      created_at: clock.time(),
      updated_at: clock.time(),
    });
  });
}
