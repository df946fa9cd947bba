import type { Answer, CallOptions, World } from "../fixtures/world.ts";

/** A user who signed in as a browser does. */
export interface BrowserSession {
  /** The value of the cookie. */
  readonly secret: string;
  readonly csrfToken: string;
  /** The answer to the sign-in. */
  readonly answer: Answer;
  /** A request with the cookie, and with the CSRF token where the method needs one. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Whether the session is still one. */
  isAlive(): Promise<boolean>;
}

/** Throws when the credentials do not fit. */
export async function signIn(world: World, credentials: Readonly<Record<string, string>>): Promise<BrowserSession> {
  const answer = await world.call("POST", "/-/session", { json: credentials });
  if (answer.status !== 201) throw new Error(`signing in answered ${answer.status} ${answer.text}`);
  const secret = secretOf(answer);
  const csrfToken: string = answer.body.csrf_token;
  const session: BrowserSession = {
    ...{ secret, csrfToken, answer },
    call(method, path, options = {}) {
      const forChanges = method === "GET" || method === "HEAD" ? {} : { "X-CSRF-Token": csrfToken };
      const headers = { Cookie: `outpost_session=${secret}`, ...forChanges, ...options.headers };
      return world.call(method, path, { ...options, headers });
    },
    isAlive: async () => (await session.call("GET", "/-/session")).status === 200,
  };
  return session;
}

/** The value of the cookie that an answer sets. */
export function secretOf({ headers }: Answer): string {
  const secret = /^outpost_session=(\w+);/.exec(headers.get("set-cookie") ?? "")?.[1];
  if (secret === undefined) throw new Error("the answer sets no cookie");
  return secret;
}
