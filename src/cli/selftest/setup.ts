import { type Area, type Reference, Scenario, type Step } from "./scenario.ts";
import { createUser } from "./users.ts";
import { unique } from "./values.ts";

const scenario = new Scenario();

/** The user of the given token. */
export const me = scenario.call("GET /user", {}, { refusals: false });

export const metadata = scenario.call("GET /metadata", {}, { refusals: false });

/** The private group of the run. Everything of the run is in it or belongs to the users below. */
export const group = scenario.call(
  "POST /groups",
  {},
  {
    json: { name: unique("outpost-selftest"), path: unique("outpost-selftest"), visibility: "private" },
    refusals: false,
  },
);
scenario.undo(group, "DELETE /groups/:id", { id: group.get("id") }, { gone: "GET /groups/:id", isKept: true });

/** The project in which the samples of the modules are called. */
export const project = scenario.call(
  "POST /projects",
  {},
  { json: { path: "samples", namespace_id: group.get("id") }, refusals: false },
);

/** Not a check: it shows whether the server has the premium edition. */
export const paidCall = new Scenario().call("GET /groups/:id/epics", { id: group.get("id") });

/** Not a check: it shows whether the server is Outpost. */
export const descriptionCall = new Scenario().call("GET /-/openapi.json", {});

/** A user of the selftest, with one token for everything and two narrow ones. */
export interface MadeUser {
  readonly user: Step;
  readonly id: Reference;
  readonly username: Reference;
  readonly token: Reference;
}

function makeUser(name: string): MadeUser {
  const user = createUser(scenario, name, { refusals: false, isKept: true });
  return { user, id: user.get("id"), username: user.get("username"), token: makeToken(user, "api") };
}

function makeToken(user: Step, scope: string): Reference {
  const made = scenario.call(
    "POST /users/:user_id/personal_access_tokens",
    { user_id: user.get("id") },
    {
      json: { name: `selftest ${scope}`, scopes: [scope] },
      refusals: false,
    },
  );
  return made.get("token");
}

function addMember({ id }: MadeUser, access_level: number): void {
  scenario.call(
    "POST /groups/:id/members",
    { id: group.get("id") },
    { json: { user_id: id, access_level }, refusals: false },
  );
}

export const owner = makeUser("owner");
export const developer = makeUser("developer");
export const guest = makeUser("guest");
export const stranger = makeUser("stranger");
addMember(owner, 50);
addMember(developer, 30);
addMember(guest, 10);

/** Tokens of the owner that allow almost nothing, by scope. */
export const narrowTokens = {
  read_user: makeToken(owner.user, "read_user"),
  read_repository: makeToken(owner.user, "read_repository"),
};

/** The first area of each run. */
export const setup: Area = { name: "setup", steps: scenario.steps, undos: scenario.undos };
