/** A user as it was asked for, and as every later answer must show it. */
export interface WantedUser {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly note: string;
  readonly location: string;
  readonly organization: string;
}

/** A user as the API shows it to an administrator, as far as the ledger looks at it. */
export interface ShownUser extends WantedUser {
  readonly id: number;
  readonly namespace_id: number;
}

export interface WantedToken {
  readonly user_id: number;
  readonly name: string;
}

export interface ShownToken extends WantedToken {
  readonly id: number;
  readonly revoked: boolean;
}

interface KeptToken extends ShownToken {
  /** Undefined for one whose answer was lost. */
  readonly text: string | undefined;
}

/**
 * The requests to a server and its acknowledgements, recorded outside of it. After a crash `settle` compares: a record
 * that was acknowledged or seen must be unchanged, a write under way may be there wholly or not at all, and there must
 * be no other record.
 */
export class CrashLedger {
  readonly users = new Map<number, ShownUser>();
  readonly tokens = new Map<number, KeptToken>();
  readonly #usersUnderWay = new Map<string, WantedUser>();
  readonly #tokensUnderWay = new Map<string, WantedToken>();
  readonly #revocationsUnderWay = new Set<number>();
  readonly #seen = new Map<number, string>();
  readonly #namespaces = new Map<number, number>();
  /** Ids that were given in earlier rounds are no larger than these. */
  #lastUser = 0;
  #lastToken = 0;
  #lastNamespace = 0;

  beginUser(wanted: WantedUser): void {
    this.#usersUnderWay.set(wanted.username, wanted);
  }

  /** The server said that nothing was done. */
  refuseUser(username: string): void {
    this.#usersUnderWay.delete(username);
  }

  acknowledgeUser(shown: ShownUser): void {
    const wanted = this.#usersUnderWay.get(shown.username);
    this.#usersUnderWay.delete(shown.username);
    if (wanted === undefined) throw new Error(`nobody asked for user ${shown.username}`);
    this.#keepUser(shown, wanted);
  }

  beginToken(wanted: WantedToken): void {
    this.#tokensUnderWay.set(wanted.name, wanted);
  }

  refuseToken(name: string): void {
    this.#tokensUnderWay.delete(name);
  }

  acknowledgeToken(shown: ShownToken, text: string): void {
    const wanted = this.#tokensUnderWay.get(shown.name);
    this.#tokensUnderWay.delete(shown.name);
    if (wanted === undefined) throw new Error(`nobody asked for token ${shown.name}`);
    this.#keepToken(shown, wanted, text);
  }

  beginRevocation(id: number): void {
    this.#revocationsUnderWay.add(id);
  }

  refuseRevocation(id: number): void {
    this.#revocationsUnderWay.delete(id);
  }

  acknowledgeRevocation(id: number): void {
    this.#revocationsUnderWay.delete(id);
    this.tokens.set(id, { ...(this.tokens.get(id) as KeptToken), revoked: true });
  }

  /** A read showed this user, whoever made it. */
  seeUser(id: number, username: string): void {
    this.#seen.set(id, username);
  }

  /** Compares with all that the server holds after a crash; afterwards nothing is under way. */
  settle(users: readonly ShownUser[], tokens: readonly ShownToken[]): void {
    this.#settleUsers(users);
    this.#settleTokens(tokens);
    this.#lastUser = largest(this.users.keys(), this.#lastUser);
    this.#lastToken = largest(this.tokens.keys(), this.#lastToken);
    this.#lastNamespace = largest(this.#namespaces.keys(), this.#lastNamespace);
  }

  #settleUsers(users: readonly ShownUser[]): void {
    const shownById = new Map(users.map((user) => [user.id, user]));
    same("users with different ids", shownById.size, users.length);
    for (const [id, kept] of this.users) {
      const shown = shownById.get(id);
      if (shown === undefined) throw new Error(`user ${id} (${kept.username}) was acknowledged and is gone`);
      compareUsers(shown, kept);
      same(`namespace of user ${id}`, shown.namespace_id, kept.namespace_id);
    }
    for (const shown of users) {
      if (this.users.has(shown.id)) continue;
      const wanted = this.#usersUnderWay.get(shown.username);
      if (wanted === undefined) throw new Error(`user ${shown.id} (${shown.username}) is there and was not asked for`);
      this.#keepUser(shown, wanted);
    }
    for (const [id, username] of this.#seen) {
      if (this.users.get(id)?.username !== username) throw new Error(`user ${id} (${username}) was seen and is gone`);
    }
    this.#seen.clear();
    this.#usersUnderWay.clear();
  }

  #settleTokens(tokens: readonly ShownToken[]): void {
    const shownById = new Map(tokens.map((token) => [token.id, token]));
    same("tokens with different ids", shownById.size, tokens.length);
    for (const [id, kept] of this.tokens) {
      const shown = shownById.get(id);
      if (shown === undefined) throw new Error(`token ${id} (${kept.name}) was acknowledged and is gone`);
      same(`name of token ${id}`, shown.name, kept.name);
      same(`user of token ${id}`, shown.user_id, kept.user_id);
      if (this.#revocationsUnderWay.has(id)) this.tokens.set(id, { ...kept, revoked: shown.revoked });
      else same(`whether token ${id} is revoked`, shown.revoked, kept.revoked);
    }
    for (const shown of tokens) {
      if (this.tokens.has(shown.id)) continue;
      const wanted = this.#tokensUnderWay.get(shown.name);
      if (wanted === undefined) throw new Error(`token ${shown.id} (${shown.name}) is there and was not asked for`);
      this.#keepToken(shown, wanted, undefined);
    }
    this.#revocationsUnderWay.clear();
    this.#tokensUnderWay.clear();
  }

  #keepUser(shown: ShownUser, wanted: WantedUser): void {
    compareUsers(shown, wanted);
    const before = this.users.get(shown.id);
    if (before !== undefined) throw new Error(`id ${shown.id} was given to ${before.username} and ${shown.username}`);
    fresh("user", shown.id, this.#lastUser);
    fresh("namespace", shown.namespace_id, this.#lastNamespace);
    const owner = this.#namespaces.get(shown.namespace_id);
    if (owner !== undefined) throw new Error(`namespace ${shown.namespace_id} is that of users ${owner}, ${shown.id}`);
    this.#namespaces.set(shown.namespace_id, shown.id);
    this.users.set(shown.id, { ...wanted, id: shown.id, namespace_id: shown.namespace_id });
  }

  #keepToken(shown: ShownToken, wanted: WantedToken, text: string | undefined): void {
    same(`user of token ${shown.name}`, shown.user_id, wanted.user_id);
    const before = this.tokens.get(shown.id);
    if (before !== undefined) throw new Error(`token id ${shown.id} was given to ${before.name} and ${shown.name}`);
    fresh("token", shown.id, this.#lastToken);
    const { id, user_id, name, revoked } = shown;
    this.tokens.set(id, { id, user_id, name, revoked, text });
  }
}

function largest(numbers: Iterable<number>, atLeast: number): number {
  let found = atLeast;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

function fresh(what: string, id: number, last: number): void {
  if (id <= last) throw new Error(`${what} id ${id} is not above ${last}, which was given before the crash`);
}

function compareUsers(shown: WantedUser, wanted: WantedUser): void {
  for (const attribute of ["username", "name", "email", "note", "location", "organization"] as const) {
    same(`${attribute} of ${wanted.username}`, shown[attribute], wanted[attribute]);
  }
}

function same(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${JSON.stringify(found)} in place of ${JSON.stringify(wanted)}`);
}
