import { beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { RequestLoad, type Transfer } from "../../../../src/modules/kernel/request-load.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { KeepAliveClient } from "../../../support/process/keep-alive.ts";

const world = await startWorld();
const load = world.context.get(RequestLoad);
const token = rootToken;
let project: Json;

beforeAll(async () => {
  project = (await world.call("POST", "/projects", { token, json: { name: "large", visibility: "public" } })).body;
  for (let at = 0; at < 6; at += 1) {
    const json = { title: `issue ${at}`, description: `${at}`.repeat(1_000_000) };
    await world.call("POST", `/projects/${project.id}/issues`, { token, json });
  }
});

const list = (query = "", method = "GET") => world.call(method, `/projects/${project.id}/issues?${query}`, { token });

describe("a list beyond four mebibytes", () => {
  test("has every requested row, and all headers but a tag", async () => {
    const { status, body, headers } = await list("per_page=100");
    expect(status).toBe(200);
    expect(body.map(({ title }: Json) => title)).toEqual([5, 4, 3, 2, 1, 0].map((at) => `issue ${at}`));
    for (const { title, description } of body) {
      expect(description === title.slice(6).repeat(1_000_000)).toBe(true);
    }
    expect(headers.get("etag")).toBeNull();
    expect(headers.get("content-length")).toBeNull();
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("max-age=0, private, must-revalidate");
    expect(headers.get("x-total")).toBe("6");
  });

  test("answers HEAD with the same headers", async () => {
    const [got, head] = [await list(), await list("", "HEAD")];
    const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== "date").sort();
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(names(head.headers)).toEqual(names(got.headers));
  });

  test("is sent again whatever tag the client has", async () => {
    const answer = await world.call("GET", `/projects/${project.id}/issues`, {
      token,
      headers: { "If-None-Match": "*" },
    });
    expect([answer.status, answer.body.length]).toEqual([200, 6]);
  });

  test("frees the connection for the next request, also when the client discards the body", async () => {
    const client = new KeepAliveClient(world.origin);
    const ask = (method: string, path: string) => {
      const head = `${method} /api/v4${path} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${token}\r\n\r\n`;
      return client.ask(Buffer.from(head), { isHead: method === "HEAD", waitMs: 5_000 });
    };
    const issues = `/projects/${project.id}/issues`;
    for (const [method, path] of [
      ["GET", issues],
      ["HEAD", issues],
      ["GET", "/version"],
    ] as const) {
      expect(await ask(method, path)).toMatchObject({ status: 200 });
    }
  });

  test("may be aborted by the client at any time", async () => {
    for (let count = 0; count < 20; count += 1) {
      const controller = new AbortController();
      const answer = await fetch(`${world.origin}/api/v4/projects/${project.id}/issues`, { signal: controller.signal });
      const reader = answer.body?.getReader();
      for (let pieces = 0; pieces < count; pieces += 4) await reader?.read();
      controller.abort();
    }
    expect((await list()).body).toHaveLength(6);
    expect(world.logged.filter((line) => line.startsWith("an answer broke off"))).toEqual([]);
  });
});

test("a shorter page of the same rows has a tag", async () => {
  const { headers, body, text } = await list("per_page=3");
  expect(body).toHaveLength(3);
  expect(text.length).toBeGreaterThan(3_000_000);
  expect(headers.get("etag")).toMatch(/^W\/"[\da-f]+"$/);
});

test("one object beyond four mebibytes is sent in full, without a tag", async () => {
  const content = Buffer.alloc(4_500_000, "0123456789abcde\n").toString();
  const path = `/projects/${project.id}/repository/files/big.txt`;
  const json = { branch: "main", commit_message: "big", content };
  expect((await world.call("POST", path, { token, json })).status).toBe(201);
  const { status, body, headers } = await world.get(path, { query: { ref: "main" } });
  expect([status, atob(body.content) === content, headers.get("etag")]).toEqual([200, true, null]);
});

test("an error within a response closes the connection, and is logged", async () => {
  const stringify = JSON.stringify;
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if (value === "issue 0") throw new Error("unwritable");
    return stringify(value, ...rest);
  }) as typeof stringify;
  try {
    const answer = await fetch(`${world.origin}/api/v4/projects/${project.id}/issues`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  } finally {
    JSON.stringify = stringify;
  }
  expect(world.logged.filter((line) => line.startsWith("an answer broke off"))).toHaveLength(1);
});

describe("clients that do not take their answers", () => {
  const { hostname, port } = new URL(world.origin);
  let path = "";

  // More than the kernel buffers for a client that does not read.
  beforeAll(async () => {
    const json = { name: "larger", visibility: "public" };
    path = `/projects/${(await world.call("POST", "/projects", { token, json })).body.id}/issues`;
    for (let at = 0; at < 30; at += 1) await createIssue();
  });

  const createIssue = () =>
    world.call("POST", path, { token, json: { title: "large", description: "y".repeat(1_000_000) } });
  const statusFor = async (asked: string, headers: Record<string, string> = {}) => {
    const { status, body } = await fetch(`${world.origin}/api/v4${asked}`, { headers });
    await body?.cancel();
    return status;
  };

  /** Asks, and reads only the first piece; resolves with the status. */
  async function ask() {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(`GET /api/v4${path}?per_page=100 HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    socket.pause();
    return { status: Number(head.toString("latin1", 9, 12)), socket };
  }

  test("keep large answers from other strangers at their address, until they are gone", async () => {
    const stalled: Socket[] = [];
    try {
      for (let status = 200; status !== 503; ) {
        const asked = await ask();
        stalled.push(asked.socket);
        status = asked.status;
      }
      expect(stalled.length).toBeWithin(2, 66);
      const refused = await fetch(`${world.origin}/api/v4${path}?per_page=100`);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await statusFor(`/projects/${project.id}`)).toBe(200);
      expect(await statusFor(path, { "PRIVATE-TOKEN": token })).toBe(200);
    } finally {
      for (const socket of stalled) socket.destroy();
    }
    await until("strangers get large answers again", async () => (await statusFor(path)) === 200);
  });

  test("lose their place while they are still connected", async () => {
    await until("no other answer is on its way", () => load.answers.count === 0);
    const { status, socket } = await ask();
    expect([status, load.answers.count]).toEqual([200, 1]);
    // Pieces that the kernel still takes move the deadline.
    await until("the place is free", () => {
      world.clock.advance(10_000);
      return load.answers.count === 0;
    });
    socket.destroy();
  });

  test("do not turn a change into a refusal", async () => {
    const others: Transfer[] = [];
    try {
      expect(() => {
        for (;;) others.push(load.answers.begin({ isStranger: false, address: "127.0.0.1" }));
      }).toThrow("503");
      expect(await statusFor(path, { "PRIVATE-TOKEN": token })).toBe(503);
      expect((await createIssue()).status).toBe(201);
    } finally {
      for (const each of others) each.end();
    }
    expect(await statusFor(path, { "PRIVATE-TOKEN": token })).toBe(200);
  });
});
