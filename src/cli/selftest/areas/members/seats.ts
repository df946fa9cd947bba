import type { Reference, Scenario, Step } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { createUser } from "../../users.ts";
import { listWith } from "../../values.ts";

/** Other callers than owners get 400 from all but one of these operations. */
const refusals = { guest: 400 } as const;

const tier = "premium";

/** Seats of a top-level group, and members who wait for one. */
export function useSeats(scenario: Scenario): void {
  const id = group.get("id");
  const user_id = createUser(scenario, "seat").get("id");
  scenario.call("POST /groups/:id/members", { id }, { json: { user_id, access_level: 30 }, tier });
  scenario.call(
    "GET /groups/:id/billable_members",
    { id },
    {
      expect: listWith({ id: user_id, membership_type: "group_member", removable: true }),
      refusals,
    },
  );
  scenario.call(
    "GET /groups/:id/billable_members/:user_id/memberships",
    { id, user_id },
    {
      expect: [{ source_id: id, access_level: { integer_value: 30 } }],
      refusals,
    },
  );
  scenario.call("GET /groups/:id/billable_members/:user_id/indirect", { id, user_id }, { refusals });
  const pending = wait(scenario, id, user_id);
  scenario.call("PUT /groups/:id/members/:member_id/approve", { id, member_id: pending.get("0.id") }, { refusals });
  scenario.call("GET /groups/:id/members/:user_id", { id, user_id }, { expect: { membership_state: "active" }, tier });
  wait(scenario, id, user_id);
  scenario.call("POST /groups/:id/members/approve_all", { id }, { refusals, after: user_id });
  wait(scenario, id, user_id);
  scenario.call("PUT /groups/:id/members/approve_all", { id }, { refusals, after: user_id });
  scenario.call("DELETE /groups/:id/billable_members/:user_id", { id, user_id }, { refusals });
  scenario.call("GET /groups/:id/members/:user_id", { id, user_id }, { status: 404, tier });
}

/** Lets the member wait, and returns the list of those who do. */
function wait(scenario: Scenario, id: Reference, user_id: Reference): Step {
  scenario.call(
    "PUT /groups/:id/members/:user_id/state",
    { id, user_id },
    { json: { state: "awaiting" }, expect: { success: true } },
  );
  return scenario.call(
    "GET /groups/:id/pending_members",
    { id },
    { expect: [{ approved: false }], refusals, after: user_id },
  );
}
