import type { Scenario, Step, StepOptions, Value } from "./scenario.ts";
import { text, unique } from "./values.ts";

interface NewUser {
  readonly attributes?: Readonly<Record<string, Value>>;
  readonly refusals?: Exclude<StepOptions["refusals"], undefined>;
  /** True when `--keep` keeps the user. */
  readonly isKept?: boolean;
}

/** Creates a user, who is deleted at the end of the run. */
export function createUser(scenario: Scenario, name: string, { attributes, isKept, ...options }: NewUser = {}): Step {
  const username = unique(`selftest-${name}`);
  const user = scenario.call(
    "POST /users",
    {},
    {
      ...options,
      json: {
        username,
        name: `Selftest ${name}`,
        email: text`${username}@selftest.example`,
        force_random_password: true,
        skip_confirmation: true,
        ...attributes,
      },
      expect: { username, state: "active" },
    },
  );
  scenario.undo(
    user,
    "DELETE /users/:id",
    { id: user.get("id") },
    {
      query: { hard_delete: true },
      gone: "GET /users/:id",
      ...(isKept === undefined ? {} : { isKept }),
    },
  );
  return user;
}
