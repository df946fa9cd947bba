import { describe, expect, test } from "bun:test";
import { bodySizesOf } from "../../../../src/http/body/body-rules.ts";
import { replacePathParameters } from "../../../../src/modules/kernel/operation.ts";
import { operations } from "../../../support/checks/operations.ts";
import { alterJob, putRunningJob } from "../../../support/ci/running-job.ts";
import { putTrigger } from "../../../support/ci/triggers.ts";
import { pathOf, setAlertScene } from "../../../support/fixtures/alerts.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const form = "application/x-www-form-urlencoded";
const mebibyte = 1 << 20;

function targetOf(path: string, root?: true): string {
  return `${root ? "" : "/api/v4"}${replacePathParameters(path, () => "1")}`;
}

/** The head of a request says how large its body is, and no byte of that is sent. */
async function announce(
  method: string,
  path: string,
  bytes: number,
  type: string,
  headers: Record<string, string> = {},
) {
  const all = { "Content-Type": type, "Content-Length": String(bytes), ...headers };
  const { status, body } = await world.wire({ method, target: path, headers: all });
  // git is told in plain text.
  return { status, body: body.startsWith("{") ? JSON.parse(body) : undefined };
}

describe("no operation reads more than a mebibyte from a stranger", () => {
  const taking = operations.filter(({ method, body }) => method !== "GET" && body === undefined);
  const types = ["application/json", form, "multipart/form-data; boundary=x"];
  test.each(types)("as %s", async (type) => {
    const refused: Record<number, number> = {};
    for (const { method, path, root } of taking) {
      const { status } = await announce(method, targetOf(path, root), mebibyte + 1, type);
      refused[status] = (refused[status] ?? 0) + 1;
      if (![401, 413].includes(status)) throw new Error(`${method} ${path} answers ${status}`);
    }
    expect(refused[401]).toBeGreaterThan(100);
    expect(refused[413]).toBeGreaterThan(3);
  });

  test("nor does one with a raw body", async () => {
    const others = operations.filter(({ body }) => typeof body === "object" && body.sizeBytesMax > mebibyte);
    expect(others.length).toBeGreaterThan(4);
    for (const { method, path, body, root } of others) {
      const type = typeof body === "object" ? (body.types?.[0] ?? "") : "";
      const { status } = await announce(method, targetOf(path, root), mebibyte + 1, type);
      expect([401, 403, 404]).toContain(status);
    }
  });
});

describe("a caller counts as a stranger with a token", () => {
  const send = (token: string) =>
    announce("POST", "/api/v4/projects", 3 * mebibyte, form, { "PRIVATE-TOKEN": token }).then(({ status, body }) => [
      status,
      body.error_description ?? body.message,
    ]);

  test("that is revoked or expired", async () => {
    const person = await world.user();
    const revoked = await world.token(person.id);
    await world.call("DELETE", `/personal_access_tokens/${revoked.id}`, { token: rootToken });
    expect(await send(revoked.token)).toEqual([401, "Token was revoked. You have to re-authorize from the user."]);
    const expiring = await world.token(person.id, { expires_at: world.clock.day(1) });
    world.clock.advanceDays(1);
    expect(await send(expiring.token)).toEqual([
      401,
      "Token is expired. You can either do re-authorization or token refresh.",
    ]);
  });

  test("of a blocked user", async () => {
    const person = await world.user();
    world.alter(person.id, { state: "blocked" });
    expect(await send(person.token)).toEqual([403, "403 Forbidden - Your account has been blocked."]);
  });

  test("of a job that has ended, or whose user is blocked", async () => {
    const person = await world.user();
    const project = placesOf(world).project(person.id);
    const upload = (token: string, id: number) =>
      announce("POST", `/api/v4/jobs/${id}/artifacts`, 200 * mebibyte, "multipart/form-data; boundary=x", {
        "JOB-TOKEN": token,
      });
    const { token, job } = putRunningJob(world, project.id, person.id);
    expect((await upload(token, job.id)).status).toBe(413);
    world.alter(person.id, { state: "blocked" });
    expect((await upload(token, job.id)).status).toBe(401);
    alterJob(world, job, { status: "canceled" });
    expect(await upload(token, job.id)).toEqual({
      status: 403,
      body: { message: "403 Forbidden - Job is not processing on runner" },
    });
  });
});

describe("a caller without an access token is known", () => {
  test("by the token of a trigger in the query, while it is valid", async () => {
    const person = await world.user();
    const project = placesOf(world).project(person.id);
    const send = async (token: string) => {
      const path = `/api/v4/projects/${project.id}/trigger/pipeline?ref=main&token=${token}`;
      const { status, body } = await announce("POST", path, 17 * mebibyte, "application/json");
      return [status, body.error ?? body.message];
    };
    const [good, late] = [{}, { expires_at: world.clock.time(-1) }].map((attributes) =>
      putTrigger(world, project.id, person.id, attributes),
    );
    expect(await send(good?.token ?? "")).toEqual([400, "JSON body too large"]);
    expect(await send(putRunningJob(world, project.id, person.id).token)).toEqual([400, "JSON body too large"]);
    expect(await send(late?.token ?? "")).toEqual([413, "413 Request Entity Too Large"]);
    expect(await send("glptt-unknown")).toEqual([413, "413 Request Entity Too Large"]);
    world.alter(person.id, { state: "blocked" });
    expect(await send(good?.token ?? "")).toEqual([413, "413 Request Entity Too Large"]);
  });

  test("by the key of a receiver: a body that is too long is read to its end, unlike a stranger's", async () => {
    const { integration } = await setAlertScene(world);
    const spaces = Buffer.alloc(64 * 1024, " ");
    const sentOf = async (key: string) => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent >= 32 * mebibyte) controller.close();
          else controller.enqueue(spaces);
          sent += spaces.length;
        },
      });
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${world.origin}${pathOf(integration.url)}`, { method: "POST", body, headers });
      return { status: answer.status, isWhole: sent > 32 * mebibyte };
    };
    expect(await sentOf(integration.token)).toEqual({ status: 400, isWhole: true });
    expect((await sentOf("wrong")).status).toBe(400);
  });
});

test.each([
  ["a form", form, "/projects", 16],
  ["a multipart body without files", "multipart/form-data; boundary=x", "/projects/1/issues", 16],
  ["a multipart body with a file", "multipart/form-data; boundary=x", "/users", 100],
  ["a form with the text of a file", form, "/projects/1/repository/files/a", 100],
])("%s may be as large as the longest thing in it", async (_, type, path, mebibytes) => {
  const headers = { "PRIVATE-TOKEN": rootToken };
  const tooLarge = { status: 413, body: { message: "413 Request Entity Too Large" } };
  expect(await announce("POST", `/api/v4${path}`, mebibytes * mebibyte + 1, type, headers)).toEqual(tooLarge);
});

test("only operations that take the content of files take forms beyond 16 MiB", () => {
  const larger = operations.filter((operation) => bodySizesOf(operation).formBytesMax > 16 * mebibyte);
  expect(larger.length).toBeGreaterThan(1);
  for (const { path } of larger) expect(path).toMatch(/\/repository\/(?:files\/|commits$)|\/snippets/);
});

test("the longest text that is permitted is read, however it is escaped", async () => {
  const { body: project } = await world.call("POST", "/projects", { token: rootToken, json: { name: "long" } });
  const description = "😀".repeat(1_048_576);
  const { status, body } = await world.call("POST", `/projects/${project.id}/issues`, {
    token: rootToken,
    form: { title: "long", description },
  });
  expect([status, body.description === description]).toEqual([201, true]);
});
