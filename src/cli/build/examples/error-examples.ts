import { errorNameOf } from "../../../http/openapi/outputs.ts";

interface Refused {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** Calls that a seeded server refuses, each with another status. `token` is root's; `weak` may only read users. */
const refusedCalls = (token: string, weak: string): readonly Refused[] => {
  const headers = { "PRIVATE-TOKEN": token };
  const json = { ...headers, "Content-Type": "application/json" };
  return [
    { status: 400, method: "POST", path: "/projects", headers: json, body: {} },
    { status: 401, method: "GET", path: "/user" },
    { status: 403, method: "GET", path: "/projects", headers: { "PRIVATE-TOKEN": weak } },
    { status: 404, method: "GET", path: "/projects/0", headers },
    { status: 405, method: "GET", path: "/projects?pagination=keyset&order_by=name", headers },
    {
      ...{ status: 409, method: "POST", path: "/users", headers: json },
      body: { username: "root", name: "Root", email: "second@outpost.example", force_random_password: true },
    },
    {
      ...{ status: 412, method: "DELETE", path: "/projects/1" },
      headers: { ...headers, "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" },
    },
    {
      ...{ status: 415, method: "POST", path: "/projects", body: "<project/>" },
      headers: { ...headers, "Content-Type": "application/xml" },
    },
  ];
};

/** Returns error bodies by the names of their responses. Creates a token in the store. Throws for an unexpected status. */
export async function collectErrors(origin: string, token: string): Promise<Record<string, unknown>> {
  const api = `${origin}/api/v4`;
  const created = await fetch(`${api}/users/2/personal_access_tokens`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "weak", scopes: ["read_user"] }),
  });
  const { token: weak } = (await created.json()) as { readonly token: string };
  const errors: Record<string, unknown> = {};
  for (const { status, method, path, headers, body } of refusedCalls(token, weak)) {
    const answer = await fetch(`${api}${path}`, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const name = errorNameOf(status);
    if (answer.status !== status || name === undefined) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    errors[name] = JSON.parse(text);
  }
  return errors;
}
