import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { depth } from "../../support/checks/depth.ts";
import { type ApiDocument, type FuzzCast, type FuzzRequest, FuzzRequests } from "../../support/checks/fuzz-requests.ts";
import { createRandom } from "../../support/checks/random.ts";
import { KeepAliveClient, type Outcome } from "../../support/process/keep-alive.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = {
  OUTPOST_ROOT_TOKEN: rootToken,
  OUTPOST_ROOT_PASSWORD: "correct horse battery",
  OUTPOST_LOG_LEVEL: "warn",
};

const requestsMin = 40_000 * depth;
const connections = 12;
/** Far more than any answer should take, on a machine with other work too. */
const answerMsMax = 120_000;
/**
 * The growth of memory allowed between the first third and the end: a heap varies, and the store has more documents.
 */
const growthMax = { ratio: 1.3, bytes: 32 << 20 };

/**
 * The records that a success adds to the store, by operation. The first half of the requests uses these and reads only,
 * and the test counts the store after it; the second half uses all operations. Settings are never changed: such
 * requests are all made invalid.
 */
const effects: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "POST /api/v4/users": { users: 1, namespaces: 1, "audit-events": 1 },
  "POST /api/v4/users/{user_id}/personal_access_tokens": { "personal-access-tokens": 1, "audit-events": 1 },
  "POST /api/v4/user/personal_access_tokens": { "personal-access-tokens": 1, "audit-events": 1 },
  "POST /api/v4/personal_access_tokens/self/rotate": { "personal-access-tokens": 1, "audit-events": 2 },
  "DELETE /api/v4/personal_access_tokens/self": { "audit-events": 1 },
  // Its event comes once for each token that was alive: counted below.
  "POST /api/v4/personal_access_tokens/{id}/rotate": { "personal-access-tokens": 1, "audit-events": 1 },
  "DELETE /api/v4/personal_access_tokens/{id}": {},
};
const revoking = ["POST /api/v4/personal_access_tokens/{id}/rotate", "DELETE /api/v4/personal_access_tokens/{id}"];

/** A stream of events, which goes on until its reader leaves. */
const endless = "GET /-/console/events";

test(
  `${requestsMin} requests made from the API's own description cause no error 500`,
  async () => {
    await using outpost = await startOutpost({ env });
    const random = createRandom();
    const document = (await get(outpost, "/-/openapi.json").then((answer) => answer.json())) as ApiDocument;
    const cast = await makeCast(outpost);
    const host = new URL(outpost.origin).host;
    const ends = (operation: string) => operation !== endless;
    const isCounted = (operation: string) => ends(operation) && (operation in effects || operation.startsWith("GET "));
    const countedRequests = new FuzzRequests(random, document, cast, host, isCounted);
    const allRequests = new FuzzRequests(random, document, cast, host, ends);
    const before = await countDocuments(outpost);
    const tally = new Tally(random.seed);
    const memory: number[] = [];

    let sent = 0;
    const work = async (requests: FuzzRequests, upTo: number) => {
      const client = new KeepAliveClient(outpost.origin);
      while (sent < upTo) {
        const number = sent++;
        if (number % 250 === 0) memory.push(residentBytes(outpost.pid));
        const request = requests.next();
        if (request.kind === "cut off") await client.abandon(request.bytes);
        else {
          const isHead = request.method === "HEAD";
          const outcome = await client.ask(request.bytes, { isHead, waitMs: answerMsMax });
          tally.count(request, number, outcome, client.surplus, () => outpost.stderr());
        }
        if (request.kind === "odd") client.hangUp();
      }
      client.hangUp();
    };
    const half = Math.ceil(requestsMin / 2);
    await Promise.all(Array.from({ length: connections }, () => work(countedRequests, half)));
    // Chance may have left one out.
    while (tally.done.length < Object.keys(effects).length && sent < 2 * half) await work(countedRequests, sent + 500);
    expect(tally.done, `seed ${random.seed}`).toEqual(Object.keys(effects).toSorted());
    const expected = addCounts(before, tally.effects());
    expect(await countDocuments(outpost), `seed ${random.seed}`).toEqual(expected);
    await Promise.all(Array.from({ length: connections }, () => work(allRequests, requestsMin)));
    expect(outpost.stderr(), `seed ${random.seed}`).not.toMatch(/"level":"(warn|error)"/);
    // A sixth of all samples each: one large body must not decide.
    const sixth = Math.ceil(memory.length / 6);
    const [early, late] = [median(memory.slice(2 * sixth, 3 * sixth)), median(memory.slice(-sixth))];
    console.log(`${sent} requests, seed ${random.seed}: ${tally.describe()}; memory ${mib(early)} → ${mib(late)} MiB`);
    expect(late, `seed ${random.seed}`).toBeLessThan(early * growthMax.ratio + growthMax.bytes);
    expect((await outpost.stop()).exitCode).toBe(0);
  },
  { timeout: Math.max(600_000, requestsMin * 12) },
);

/** Counts what came back, and throws at the first answer that may not be. */
class Tally {
  readonly #seed: number;
  readonly #statuses = new Map<string, number>();
  readonly #effects = new Map<string, number>();
  readonly #revoked = new Set<number>();
  readonly #done = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** `log`: what the server has said so far, of which the end goes into the complaint. */
  count(request: FuzzRequest, number: number, outcome: Outcome, surplus: string, log: () => string): void {
    const status = typeof outcome === "string" ? outcome : String(outcome.status);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const isOdd = request.kind === "odd";
    const isAnswered =
      typeof outcome !== "string" &&
      // 505 is what the runtime says of a request line that is none; no code of ours sees it.
      ((outcome.status >= 200 && outcome.status < 500) || (isOdd && outcome.status === 505));
    const isFine = isAnswered ? isOdd || surplus === "" : isOdd && outcome === "closed";
    if (!isFine) throw new Error(`${this.#complaint(request, number, outcome, surplus)}\n${log().slice(-3_000)}`);
    if (isAnswered && outcome.status < 300 && !/^(GET|HEAD|OPTIONS) /.test(request.operation)) this.#note(request);
  }

  /** Operations that write and were done at least once. */
  get done(): string[] {
    return [...this.#done].toSorted();
  }

  effects(): Record<string, number> {
    return addCounts(Object.fromEntries(this.#effects), { "audit-events": this.#revoked.size });
  }

  describe(): string {
    return [...this.#statuses]
      .toSorted()
      .map(([status, times]) => `${times} × ${status}`)
      .join(", ");
  }

  #note({ operation, pathId }: FuzzRequest): void {
    const effect = effects[operation];
    if (effect === undefined) return;
    this.#done.add(operation);
    for (const [collection, count] of Object.entries(effect)) {
      this.#effects.set(collection, (this.#effects.get(collection) ?? 0) + count);
    }
    if (revoking.includes(operation) && pathId !== undefined) this.#revoked.add(pathId);
  }

  #complaint(request: FuzzRequest, number: number, outcome: Outcome, surplus: string): string {
    const came = typeof outcome === "string" ? outcome : `${outcome.status} ${outcome.body.slice(0, 300)}`;
    return [
      `request ${number} of seed ${this.#seed} (TEST_SEED=${this.#seed} brings it back): ${came}`,
      ...(surplus === "" ? [] : [`and more than was asked for: ${JSON.stringify(surplus.slice(0, 300))}`]),
      `${request.kind}, ${request.operation}, ${request.bytes.length} bytes:`,
      JSON.stringify(request.bytes.toString("latin1", 0, 3_000)),
    ].join("\n");
  }
}

function get({ origin }: OutpostProcess, path: string): Promise<Response> {
  return fetch(`${origin}${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
}

/** Creates the callers, and users and tokens that requests may name. */
async function makeCast({ origin }: OutpostProcess): Promise<FuzzCast> {
  const post = async (path: string, body: object) => {
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
    const answer = await fetch(`${origin}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: number; token: string };
  };
  const user = (username: string, more: object = {}) =>
    post("/users", {
      username,
      name: username,
      email: `${username}@cast.example`,
      force_random_password: true,
      ...more,
    });
  const token = (userId: number) => post(`/users/${userId}/personal_access_tokens`, { name: "cast", scopes: ["api"] });
  const admin = await user("fuzz-admin", { admin: true });
  const plain = await user("fuzz-plain");
  const [adminToken, plainToken] = [await token(admin.id), await token(plain.id)];
  const sessions = await Promise.all(
    [adminToken, adminToken, plainToken].flatMap((each) =>
      Array.from({ length: 10 }, () => signIn(origin, each.token)),
    ),
  );
  const users = await Promise.all(Array.from({ length: 20 }, (_, at) => user(`extra${at}`)));
  const owners = [plain, ...users];
  const tokens = await Promise.all(
    Array.from({ length: 300 }, (_, at) => token((owners[at % owners.length] ?? plain).id)),
  );
  const expendable = await Promise.all(Array.from({ length: 300 }, () => token(plain.id)));
  const places = await makePlaces(post);
  return {
    places,
    adminToken: adminToken.token,
    plainToken: plainToken.token,
    sessions,
    protectedIds: new Set([1, admin.id, plain.id, adminToken.id, plainToken.id]),
    userIds: users.map(({ id }) => id),
    tokenIds: tokens.map(({ id }) => id).filter((id) => id > plain.id),
    expendableTokens: expendable.map((each) => each.token),
  };
}

/** A session of a browser. Fuzzing may end some of them: then their cookies say nothing. */
async function signIn(origin: string, token: string) {
  const answer = await fetch(`${origin}/-/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  expect(answer.status).toBe(201);
  const { csrf_token: csrfToken } = (await answer.json()) as { csrf_token: string };
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { cookie, csrfToken };
}

type Post = (path: string, body: object) => Promise<{ readonly id: number }>;

/** Groups and projects with something in each of those that stay. */
async function makePlaces(post: Post): Promise<FuzzCast["places"]> {
  const one = (kind: "groups" | "projects", at: number) =>
    post(`/${kind}`, { name: `Fuzz ${kind} ${at}`, path: `fuzz-${kind}-${at}`, initialize_with_readme: true });
  const idsOf = async (kind: "groups" | "projects") => {
    const ids: number[] = [];
    for (let at = 0; at < 40; at += 1) ids.push((await one(kind, at)).id);
    return { kept: ids.slice(-8), expendable: ids.slice(8, -8) };
  };
  const places = { groups: await idsOf("groups"), projects: await idsOf("projects") };
  for (const [kind, { kept }] of Object.entries(places)) {
    for (const id of kept) {
      for (let at = 0; at < 5; at += 1) {
        await post(`/${kind}/${id}/labels`, { name: `label ${at}`, color: "#aabbcc" });
        await post(`/${kind}/${id}/milestones`, { title: `milestone ${at}` });
        if (kind === "projects") await post(`/projects/${id}/issues`, { title: `issue ${at}` });
        else await post(`/groups/${id}/epics`, { title: `epic ${at}` });
      }
    }
  }
  return places;
}

/** A mail comes with a new user or not, as the request wishes, and with the first one its sequence. */
const uncounted = ["mails", "sequences", "signing-keys"];

/** Documents by collection; what lists say is checked against it. */
async function countDocuments(outpost: OutpostProcess): Promise<Record<string, number>> {
  const text = await get(outpost, "/-/metrics").then((answer) => answer.text());
  const rows = text.matchAll(/^outpost_store_documents\{collection="([^"]+)"\} (\d+)$/gm);
  const pairs = [...rows].map(([, collection = "", count]) => [collection, Number(count)] as const);
  const counts = Object.fromEntries(pairs.filter(([collection]) => !uncounted.includes(collection)));
  for (const [path, collection] of [
    ["/users", "users"],
    ["/personal_access_tokens", "personal-access-tokens"],
  ] as const) {
    const total = (await get(outpost, `/api/v4${path}?per_page=1`)).headers.get("x-total");
    expect(Number(total)).toBe(counts[collection] as number);
  }
  return counts;
}

function addCounts(
  to: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...to };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) * 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function mib(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
