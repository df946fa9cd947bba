import { expect, test } from "bun:test";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { type CallOptions, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const admin = await world.user({ username: "boss", admin: true });
const ann = await world.user({ username: "Ann.Quist" });

const ways: [string, (value: string) => CallOptions][] = [
  ["query", (value) => ({ query: { sudo: value } })],
  ["header", (value) => ({ headers: { Sudo: value } })],
];

for (const [way, sudo] of ways) {
  for (const value of [`${ann.id}`, "Ann.Quist", "ann.quist", "ANN.QUIST", `0${ann.id}`]) {
    test(`sudo=${value} in the ${way} acts as that user`, async () => {
      const { status, body } = await world.call("GET", "/user", { token: admin.token, ...sudo(value) });
      expect([status, body.username]).toEqual([200, "Ann.Quist"]);
      expect(body).not.toHaveProperty("is_admin");
    });
  }

  for (const value of [
    ...["0", "9999", "-1", "+1", "1.0", "1e0", "9".repeat(40), "nobody", "a b", "root,root", "__proto__"],
    ...["constructor", "'\"<>", "%00", "ann.quist.", "é"],
  ]) {
    test(`sudo=${value.slice(0, 20)} in the ${way} names no user`, async () => {
      const { status, body } = await world.call("GET", "/user", { token: admin.token, ...sudo(value) });
      expect([status, body]).toEqual([404, { message: `404 User with ID or username '${value}' Not Found` }]);
    });
  }

  test(`anonymous callers may not use sudo in the ${way}, even where no credentials are required`, async () => {
    for (const path of ["/user", "/users?username=root"]) {
      const { query, ...rest } = sudo("root");
      const target = query === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}sudo=root`;
      const { status, body } = await world.call("GET", target, rest);
      expect([status, body]).toEqual([401, { message: "401 Unauthorized" }]);
    }
  });

  test(`a user who is no administrator may not use sudo in the ${way}, whatever the target`, async () => {
    for (const value of ["root", ann.username, `${ann.id}`, "nobody"]) {
      const { status, body } = await world.call("GET", "/user", { token: ann.token, ...sudo(value) });
      expect([status, body]).toEqual([403, { message: "403 Forbidden - Must be admin to use sudo" }]);
    }
  });

  test(`an administrator's token without the scope may not use sudo in the ${way}, whatever the target`, async () => {
    const { token } = await world.token(admin.id, { scopes: ["api"] });
    for (const value of [ann.username, "nobody"]) {
      const { status, body } = await world.call("GET", "/user", { token, ...sudo(value) });
      expect([status, body]).toEqual([
        403,
        {
          error: "insufficient_scope",
          error_description: "The request requires higher privileges than provided by the access token.",
          scope: "sudo",
        },
      ]);
    }
  });

  test(`an empty sudo in the ${way} is ignored`, async () => {
    const { body } = await world.call("GET", "/user", { token: admin.token, ...sudo("") });
    expect(body.username).toBe("boss");
  });
}

test("sudo may be in a body too, as text or number", async () => {
  for (const sudo of [ann.id, `${ann.id}`, "ann.quist"]) {
    const { status, body } = await world.call("POST", "/user/personal_access_tokens", {
      token: admin.token,
      json: { name: "made by sudo", scopes: ["k8s_proxy"], sudo },
    });
    expect([status, body.user_id]).toEqual([201, ann.id]);
  }
});

test("a sudo that is not a text names no user", async () => {
  for (const query of ["sudo[]=root", "sudo[a]=root"]) {
    expect((await world.call("GET", `/user?${query}`, { token: admin.token })).status).toBe(404);
  }
  for (const sudo of [["root"], {}, true, 1.5]) {
    const json = { name: "x", scopes: ["k8s_proxy"], sudo };
    const { status } = await world.call("POST", "/user/personal_access_tokens", { token: admin.token, json });
    expect(status).toBe(404);
  }
});

test("the credentials and the state of the administrator are checked first", async () => {
  expect((await world.call("GET", "/user?sudo=nobody", { token: "x" })).status).toBe(401);
  const other = await world.user({ admin: true });
  world.alter(other.id, { state: "blocked" });
  const { body } = await world.call("GET", "/user?sudo=nobody", { token: other.token });
  expect(body.message).toBe("403 Forbidden - Your account has been blocked.");
});

test("the operation's own scope is not checked: the scope sudo alone allows every operation with sudo, and none without", async () => {
  const { token } = await world.token(admin.id, { scopes: ["sudo"] });
  expect((await world.call("GET", "/user", { token })).status).toBe(403);
  expect((await world.call("GET", "/user?sudo=ann.quist", { token })).body.username).toBe("Ann.Quist");
  const { status } = await world.call("GET", `/personal_access_tokens?sudo=${ann.id}`, { token });
  expect(status).toBe(200);
});

test("rights and representations are the target's", async () => {
  const asAnn = { token: admin.token, headers: { Sudo: "ann.quist" } };
  expect((await world.call("GET", "/users/1", asAnn)).body).not.toHaveProperty("email");
  expect((await world.call("GET", "/users", asAnn)).body[0]).not.toHaveProperty("email");
  const creation = { email: "x@y.example", name: "X", username: "xx", reset_password: true };
  expect((await world.call("POST", "/users", { ...asAnn, json: creation })).body).toEqual({ message: "403 Forbidden" });
  expect((await world.call("GET", "/personal_access_tokens", { ...asAnn, query: { user_id: 1 } })).status).toBe(401);
});

test("with sudo to another administrator the fields are an administrator's, and that administrator is the author", async () => {
  const asBoss = { token: rootToken, headers: { Sudo: "boss" } };
  expect((await world.call("GET", "/user", asBoss)).body.is_admin).toBe(true);
  const before = world.events().length;
  const json = { email: "by@boss.example", name: "By Boss", username: "by-boss", reset_password: true };
  const { body } = await world.call("POST", "/users", { ...asBoss, json });
  expect(body.created_by.username).toBe("boss");
  const [event] = world.events(before);
  expect([event?.author_id, event?.details.author_name]).toEqual([admin.id, admin.record.name]);
});

test("the activity is recorded for the administrator who made the request", async () => {
  const target = await world.user();
  await world.call("GET", "/user", { token: admin.token, headers: { Sudo: target.username } });
  expect((await world.get(`/users/${target.id}`)).body.last_activity_on).toBeNull();
});

test("sudo in the query stays in links", async () => {
  const { headers } = await world.call("GET", "/users?sudo=ann.quist&per_page=1", { token: admin.token });
  expect(new URL(linksOf(headers).get("next") as string).searchParams.get("sudo")).toBe("ann.quist");
});
