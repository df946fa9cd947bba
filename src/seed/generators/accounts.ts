import type { Scope } from "../../domain/scopes.ts";
import { dayMs } from "../../lib/datetime.ts";
import { generateToken, insertAccessToken } from "../../modules/accounts/access-tokens/index.ts";
import type { Organisation } from "../organisation.ts";

/** A user account to try the API with. */
export interface Account {
  readonly username: string;
  readonly name: string;
  /** The user's rights, and the membership that gives them. */
  readonly role: string;
  /** Shown only once. */
  readonly token: string;
}

/** A call that shows a feature. `as` is the username of the token's owner. */
export interface Call {
  readonly about: string;
  readonly as: string;
  readonly method: "GET" | "POST";
  /** The path below `/api/v4`. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
}

interface CastRole extends Pick<Account, "username" | "role"> {
  readonly scope: Scope;
}

/** The users as whom a user of the demo may want to sign in. */
export const demoUsers: readonly CastRole[] = [
  { username: "mara.quist", scope: "api", role: "administrator; owns skylark, and so everything below it" },
  { username: "tomas", scope: "api", role: "owner of skylark/firmware; its subgroup radio by inheritance" },
  { username: "kofi-a", scope: "api", role: "owner of skylark/cloud/platform, maintainer of skylark/cloud" },
  { username: "ines_moreau", scope: "read_api", role: "owner of skylark/data, developer in one project of the cloud" },
  { username: "noor.brightwater", scope: "api", role: "reporter in skylark, and so everywhere below it" },
  { username: "yuki.tanabe", scope: "api", role: "in skylark/apps as pinion was invited to the group" },
  { username: "priya", scope: "api", role: "external; in the field app as it is shared with fieldwork" },
  { username: "alba.reedling", scope: "read_api", role: "developer in skylark/data for twelve days more" },
  { username: "otto.vanewick", scope: "api", role: "guest in one project, has asked for access to another" },
  { username: "gil.merriton", scope: "read_api", role: "auditor: reads everything, changes nothing" },
];

/** Creates a token for each of them. */
export function makeAccounts(organisation: Organisation): Account[] {
  const { context, writing, until } = organisation;
  organisation.at(until - dayMs);
  return demoUsers.map(({ username, scope, role }) => {
    const { user, caller } = organisation.person(username);
    const token = generateToken(context);
    const attributes = { name: "seed", scopes: [scope], expires_at: organisation.day(350) };
    insertAccessToken(writing, context, caller, user, token, attributes);
    return { username, name: user.name, role, token };
  });
}

export const calls: readonly Call[] = [
  { about: "who tomas is", as: "tomas", method: "GET", path: "/user" },
  {
    about: "open issues of the anemometer, the most liked first",
    as: "tomas",
    method: "GET",
    path: "/projects/skylark%2Ffirmware%2Fanemometer/issues?state=opened&order_by=popularity&per_page=5",
  },
  {
    about: "what priya sees: the one project that is shared with her company",
    as: "priya",
    method: "GET",
    path: "/projects?membership=true&simple=true&search=app",
  },
  {
    about: "how the last pipelines of the ingest service ended",
    as: "kofi-a",
    method: "GET",
    path: "/projects/skylark%2Fcloud%2Fingest/pipelines?per_page=5",
  },
  {
    about: "a new issue, in a project that yuki was invited to",
    as: "yuki.tanabe",
    method: "POST",
    path: "/projects/skylark%2Fapps%2Fstation-console/issues",
    form: { title: "The night colours are too blue", labels: "feature" },
  },
];
