import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const Origin = "https://page.example";
const exposed = [
  ...["Link", "X-Total", "X-Total-Pages", "X-Per-Page", "X-Page", "X-Next-Page", "X-Prev-Page"],
  ...["X-Request-Id", "ETag"],
];

for (const [path, status] of [
  ["/users", 200],
  ["/users/9999", 404],
  ["/nothing", 404],
  ["/users?per_page=0", 400],
] as const) {
  test(`any page may read the ${status} of ${path}, and its headers`, async () => {
    const answer = await world.get(path, { headers: { Origin } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    const names = answer.headers.get("access-control-expose-headers")?.split(", ") ?? [];
    expect(names).toEqual(expect.arrayContaining(exposed));
  });
}

test("a 401 may be read too", async () => {
  const { status, headers } = await world.call("GET", "/user", { headers: { Origin } });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
});

test("without an Origin the answer has no CORS headers", async () => {
  const { headers } = await world.get("/users");
  expect(headers.has("access-control-allow-origin")).toBe(false);
});

for (const asked of ["private-token, content-type", "X-Anything", "a, b\xff", ""]) {
  test(`a preflight for the headers ${JSON.stringify(asked)} needs no credentials`, async () => {
    const answer = await world.wire({
      method: "OPTIONS",
      target: "/api/v4/users",
      headers: { Origin, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": asked },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-headers") ?? "").toBe(asked);
    expect(answer.headers.get("access-control-max-age")).toBe("7200");
    expect(answer.headers.get("access-control-allow-methods")?.split(", ").sort()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "OPTIONS",
      "PATCH",
      "POST",
      "PUT",
    ]);
  });
}

test("an OPTIONS that is no preflight only lists the methods", async () => {
  const { headers } = await world.call("OPTIONS", "/users", { headers: { Origin } });
  expect(headers.get("allow")).toBe("OPTIONS, HEAD, GET, POST");
  expect(headers.has("access-control-allow-methods")).toBe(false);
});

test("a preflight with an invalid token is answered", async () => {
  const { status } = await world.call("OPTIONS", "/users", {
    token: `${rootToken}x`,
    headers: { Origin, "Access-Control-Request-Method": "GET" },
  });
  expect(status).toBe(204);
});
