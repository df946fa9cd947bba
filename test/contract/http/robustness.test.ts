import { expect, test } from "bun:test";
import fc from "fast-check";
import { replacePathParameters } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../support/checks/operations.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { KeepAliveClient } from "../../support/process/keep-alive.ts";
import { exchangeBytes } from "../../support/process/raw-http.ts";

// Every answer of `call` and `wire` is checked for 5xx, so that most of these only have to be asked.
const world = await startWorld();
const admin = await world.user({ admin: true });

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "",
    " ",
    "null",
    "undefined",
    "NaN",
    "-0",
    "1e999",
    "[]",
    "{}",
  ),
  fc.constantFrom("9".repeat(400), "\u202e", "\u0000", "\ud800", "%00", "%", "../..", "<>", "'\"", "\r\n", "İ", "ﬁ"),
);
const nastyJson = fc.oneof(nasty, fc.jsonValue(), fc.double(), fc.maxSafeInteger(), fc.constant(-0));

/** Names that some operation declares, and some that none does. */
const names = [
  ...new Set(operations.flatMap(({ params }) => Object.keys(params.properties))),
  ...["page", "per_page", "pagination", "cursor", "sudo", "private_token", "access_token", "__proto__", "constructor"],
];
const name = fc.oneof(
  fc.constantFrom(...names),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom("[]", "[a]", "[0]", "[][a]", "[__proto__]", "[", "]", "[a"))
    .map((parts) => parts.join("")),
  nasty,
);
/** Nothing that would revoke the token which asks, or turn limits on. */
const harmless = operations.filter(
  ({ method, path }) => method === "GET" || !(path.includes("/self") || path === "/application/settings"),
);
const target = fc.constantFrom(
  ...harmless.map(({ method, path, root }) => ({ method, path: `${root === true ? "" : "/api/v4"}${path}` })),
);
const runs = 400;

test("no query causes an error 500", async () => {
  const pairs = fc.array(fc.tuple(name, nasty), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(target, pairs, nasty, async ({ method, path }, given, segment) => {
      const encode = (text: string) => encodeURIComponent(text.toWellFormed());
      const query = given.map(([key, value]) => `${encode(key)}=${encode(value)}`).join("&");
      // Nobody who asks may be blocked or deleted on the way.
      const named = method === "GET" ? segment : segment.replace(/^\d+$/, "999");
      const filled = replacePathParameters(path, () => encode(named) || "999");
      await world.wire({ method, target: `${filled}?${query}`, headers: { "PRIVATE-TOKEN": admin.token } });
    }),
    { numRuns: runs },
  );
});

test("no JSON body causes an error 500", async () => {
  const writes = harmless.filter(({ method }) => method !== "GET");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...writes),
      fc.dictionary(name, nastyJson, { maxKeys: 8 }),
      fc.boolean(),
      async ({ method, path }, json, isComplete) => {
        const complete = isComplete ? { force_random_password: true, scopes: ["api"], name: "x", ...json } : json;
        await world.call(
          method,
          replacePathParameters(path, () => "999"),
          { token: admin.token, json: complete },
        );
      },
    ),
    { numRuns: runs },
  );
});

test("no name, address or username causes an error 500, at the creation or in later reads", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, async (fullName, username, local) => {
      const json = { name: fullName, username, email: `${local}@x.example`, reset_password: true };
      const { status, body } = await world.call("POST", "/users", { token: admin.token, json });
      expect([201, 400, 409]).toContain(status);
      if (status !== 201) return;
      expect((await world.get(`/users/${body.id}`)).body.name).toBe(body.name);
      await world.call("GET", `/-/avatars/${body.id}.svg`);
      const found = await world.get("/users", { query: { username: body.username } });
      expect(found.body.map((user: { id: number }) => user.id)).toEqual([body.id]);
    }),
    { numRuns: runs },
  );
});

test("no header causes an error 500", async () => {
  const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  const header = fc.constantFrom(
    ...[
      "PRIVATE-TOKEN",
      "Authorization",
      "Sudo",
      "JOB-TOKEN",
      "If-None-Match",
      "If-Unmodified-Since",
      "Origin",
      "Host",
    ],
    ...["Accept", "Content-Type", "Access-Control-Request-Method", "Access-Control-Request-Headers", "X-Forwarded-For"],
  );
  const method = fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "DELETE");
  await fc.assert(
    fc.asyncProperty(method, fc.dictionary(header, value, { maxKeys: 4 }), async (verb, headers) => {
      const withToken = { "PRIVATE-TOKEN": admin.token, ...headers };
      await world.wire({ method: verb, target: "/api/v4/users?per_page=1", headers: withToken });
    }),
    { numRuns: runs },
  );
});

test("no multipart body causes an error 500", async () => {
  const body = fc.array(
    fc.oneof(nasty, fc.constantFrom("--x\r\n", "--x--", "\r\n\r\n", 'name="a"', "; filename=", "\r\n")),
  );
  await fc.assert(
    fc.asyncProperty(body, async (parts) => {
      const type = "multipart/form-data; boundary=x";
      const raw = `--x\r\nContent-Disposition: form-data; ${parts.join("")}`;
      await world.call("POST", "/users", { token: admin.token, raw, headers: { "Content-Type": type } });
    }),
    { numRuns: runs },
  );
});

for (const type of [
  "multipart/form-data",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary="',
  "/",
  ";;",
]) {
  test(`a body of type ${JSON.stringify(type)} is refused`, async () => {
    const { status } = await world.call("POST", "/users", {
      token: admin.token,
      raw: "x=1",
      headers: { "Content-Type": type },
    });
    expect([400, 415]).toContain(status);
  });
}

test("a file in place of a text is invalid, also as a token", async () => {
  const multipart = new FormData();
  multipart.set("name", new File(["x"], "x.txt"));
  multipart.set("scopes[]", "api");
  const path = `/users/${admin.id}/personal_access_tokens`;
  const { status, body } = await world.call("POST", path, { token: rootToken, multipart });
  expect([status, body.error]).toEqual([400, "name is invalid"]);
  multipart.set("private_token", new File([rootToken], "token.txt"));
  expect((await world.call("POST", path, { multipart })).status).toBe(401);
});

test("a request that ends within its body harms no other", async () => {
  const head = `POST /api/v4/users HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n`;
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(world.origin);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`, () => {
        socket.destroy();
        resolve();
      });
    });
  });
  expect((await world.get("/user")).status).toBe(200);
});

test.each([
  ["of known length", "Content-Length: 1000\r\n\r\nname=x"],
  ["of unknown length", "Transfer-Encoding: chunked\r\n\r\n3\r\nnam\r\nff\r\n"],
])("a client that disconnects before the end of its body %s causes no error of the server", async (_, rest) => {
  const linesBefore = world.logged.length;
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(world.origin);
  const socket = connect(Number(port), hostname);
  const start = "POST /api/v4/user/personal_access_tokens HTTP/1.1";
  const text = `${start}\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n${rest}`;
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  // Later requests that are answered show that the earlier one has arrived.
  for (let turn = 0; turn < 3; turn += 1) await world.get("/version");
  socket.destroy();
  const lines = () => world.logged.slice(linesBefore).filter((line) => line.includes('"/user/personal_access_tokens"'));
  await until("the request is over", () => lines().length > 0);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toContain('"status":400');
});

test.each([["/api/v4/users"], ["//api/v4/users"]])(
  "a body of unknown length is refused at %s, and the next request on the connection is answered",
  async (target) => {
    const start = `POST ${target} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n`;
    const refused = `${start}Content-Type: application/xml\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<a>\r\n4\r\n</a>\r\n0\r\n\r\n`;
    const last = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const client = new KeepAliveClient(world.origin);
    const answers = [];
    for (const bytes of [refused, refused, last]) {
      answers.push(await client.ask(Buffer.from(bytes), { isHead: false, waitMs: 2_000 }));
    }
    expect(answers).toMatchObject([{ status: 415 }, { status: 415 }, { status: 401 }]);
  },
);

test("two requests on one connection stay separate, although a GET has a body", async () => {
  const get = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n`;
  const body = "GET /api/v4/user HTTP/1.1\r\n\r\n";
  const bytes = `${get}Content-Length: ${body.length}\r\n\r\n${body}${get}Connection: close\r\n\r\n`;
  const answers = (await exchangeBytes(world.origin, Buffer.from(bytes))).toString();
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(answers.match(/"revision"/g)).toHaveLength(2);
});

test("strangers may send a token in a small body, and are refused before a large one is read", async () => {
  const large = `private_token=opx-nobody&x=${"x".repeat(3 << 20)}`;
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  expect((await world.call("POST", "/users", { raw: large, headers: type })).status).toBe(401);
  expect((await world.call("POST", "/users", { raw: large, headers: type, token: "opx-unknown" })).status).toBe(401);
  const small = { private_token: admin.token, name: "x".repeat(500_000) };
  expect((await world.call("POST", "/users", { form: small })).status).toBe(400);
});

test("a body above every limit is refused with the contract's message", async () => {
  const { status, body } = await world.wire({
    method: "POST",
    target: "/api/v4/users",
    headers: {
      "PRIVATE-TOKEN": admin.token,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(200 << 20),
    },
  });
  expect({ status, body }).toEqual({ status: 413, body: JSON.stringify({ message: "413 Request Entity Too Large" }) });
});
