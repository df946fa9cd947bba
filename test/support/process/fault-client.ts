/** The credentials and requests of the fault tests. */
export const rootToken = "a-token-for-tests-0123456789";
export const knownCredentials = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
export const rootHeaders = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };

export interface KnownUser {
  readonly id: number;
  readonly username: string;
}

export function postUser(origin: string, username: string, attributes: object = {}): Promise<Response> {
  const user = { username, name: "Somebody", email: `${username}@example.test`, force_random_password: true };
  const body = JSON.stringify({ ...user, ...attributes });
  return fetch(`${origin}/api/v4/users`, { method: "POST", headers: rootHeaders, body });
}

/** Makes a user or throws. */
export async function createUser(origin: string, username: string, attributes: object = {}): Promise<KnownUser> {
  const answer = await postUser(origin, username, attributes);
  if (answer.status !== 201) throw new Error(`POST /users was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as KnownUser;
}

/** Everything on the pages of a list, one after the other. */
export async function listAll<T>(origin: string, path: string): Promise<T[]> {
  const all: T[] = [];
  let next: string | undefined = `${origin}/api/v4${path}`;
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: rootHeaders });
    if (answer.status !== 200) throw new Error(`GET ${next} was answered ${answer.status}: ${await answer.text()}`);
    all.push(...((await answer.json()) as T[]));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return all;
}

/** All users but root, by id. */
export async function listUsers(origin: string): Promise<Map<number, string>> {
  const path = "/users?pagination=keyset&order_by=id&sort=asc&per_page=100";
  const users = await listAll<KnownUser>(origin, path);
  return new Map(users.filter(({ id }) => id !== 1).map(({ id, username }) => [id, username]));
}

/** Writers that go on until the server refuses or is gone, and what it acknowledged to them. */
export class Writers {
  readonly acknowledged = new Map<number, string>();
  /** Statuses of the answers that were no success. */
  readonly refusals = new Set<number>();
  readonly done: Promise<void>;
  readonly #origin: string;
  readonly #attributes: object;
  readonly #watchers = new Set<() => void>();
  readonly #prefix: string;
  #count = 0;
  #isStopped = false;

  constructor(origin: string, prefix: string, { writers = 16, attributes = {} } = {}) {
    this.#origin = origin;
    this.#prefix = prefix;
    this.#attributes = attributes;
    this.done = Promise.all(Array.from({ length: writers }, () => this.#write())).then(() => undefined);
  }

  /** Lets each writer end after the write that is under way. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.done;
  }

  /** Resolves once that many writes are acknowledged; rejects when the writers end before. */
  acknowledgedAtLeast(count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (this.acknowledged.size >= count) resolve();
    };
    this.#watchers.add(look);
    look();
    const early = () => reject(new Error(`the writers ended after ${this.acknowledged.size} writes`));
    this.done.then(early, early);
    return promise.finally(() => this.#watchers.delete(look));
  }

  /** The acknowledged users that are not in `users`. */
  missingFrom(users: ReadonlyMap<number, string>): string[] {
    return [...this.acknowledged].filter(([id, username]) => users.get(id) !== username).map(([, name]) => name);
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      const username = `${this.#prefix}${this.#count++}`;
      const answer = await postUser(this.#origin, username, this.#attributes).catch(() => undefined);
      const body = await answer?.json().catch(() => undefined);
      if (answer === undefined || body === undefined) return;
      if (answer.status !== 201) {
        this.refusals.add(answer.status);
        return;
      }
      this.acknowledged.set((body as KnownUser).id, username);
      for (const look of this.#watchers) look();
    }
  }
}

/** Asks again until the answer is yes. Throws when that takes longer than any machine should need. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await Bun.sleep(20);
  }
}
