import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();

const picture = (id: number | string, headers: Record<string, string> = {}) =>
  world.wire({ method: "GET", target: `/-/avatars/${id}.svg`, headers });

for (const [name, initials] of [
  ["Mara Quist", "MQ"],
  ["mara", "M"],
  ["Mara van der Quist", "MQ"],
  ["  Élodie   öström ", "ÉÖ"],
  ["李 小龙", "李小"],
  ["🦊 Fox", "F"],
  ["🦊", "?"],
  ["<script> &amp;", "SA"],
  ['"><svg onload=x>', "SO"],
  ["7 of 9", "79"],
  ["...", "?"],
  ["\u0001\u0002", "?"],
  ["ß", "SS"],
] as const) {
  test(`the avatar of ${JSON.stringify(name)} shows ${initials}`, async () => {
    const { record } = await world.user({ name });
    const { status, headers, body } = await picture(record.id);
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(/>([^<>&"]+)<\/text><\/svg>$/.exec(body)?.[1]).toBe(initials);
    expect(body.match(/</g)).toHaveLength(5);
    expect(body.match(/https?:/g)).toEqual(["http:"]);
    expect(body.length).toBeLessThan(400);
  });
}

test("avatar_url leads to the avatar, without credentials", async () => {
  const { body } = await world.get("/user");
  const { status, text } = await world.call("GET", new URL(body.avatar_url).pathname);
  expect(status).toBe(200);
  expect(text).toStartWith("<svg ");
});

test("clients may cache an avatar for a day, and do not get it twice", async () => {
  const { headers } = await picture(1);
  expect(headers.get("cache-control")).toBe("public, max-age=86400");
  const again = await picture(1, { "If-None-Match": headers.get("etag") as string });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("a user without a name has an avatar", async () => {
  for (const id of ["9999", "0", "9".repeat(15)]) {
    const { status, body } = await picture(id);
    expect([status, body]).toEqual([404, '{"message":"404 User Not Found"}']);
  }
});

for (const target of [
  "/-/avatars",
  "/-/avatars/",
  "/-/avatars/1",
  "/-/avatars/1.png",
  "/-/avatars/x.svg",
  "/-/avatars/-1.svg",
  "/-/avatars/1.svg.svg",
  `/-/avatars/${"9".repeat(16)}.svg`,
  "/-/avatars/1.svg/x",
  "/-/avatars/..%2F1.svg",
  "/api/v4/-/avatars/1.svg",
]) {
  test(`${target.slice(0, 40)} is no avatar`, async () => {
    const { status, body } = await world.wire({ method: "GET", target, headers: { "PRIVATE-TOKEN": rootToken } });
    expect([status, body]).toEqual([404, '{"error":"404 Not Found"}']);
  });
}
