import { describe, expect, test } from "bun:test";
import { errorPayloads, trackedErrors } from "../../../../src/modules/monitoring/error-tracking/records.ts";
import { eventOf } from "../../../support/fixtures/error-tracking.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { exceptions, setErrorScene } from "./setting.ts";

const world = await startWorld();
const { places, group, reporter, errorsOf, get, list, reported, set } = await setErrorScene(world);

describe("the list of errors", () => {
  const of = (type: string, attributes: Json = {}) => ({
    ...exceptions({ type, value: `${type} failed` }),
    ...attributes,
  });

  test("is ordered by last or first seen, or by count, in descending order", async () => {
    const { id } = await reported(
      of("A", { timestamp: 300 }),
      of("B", { timestamp: 200 }),
      of("C", { timestamp: 100 }),
      of("B", { timestamp: 400 }),
      of("D", { timestamp: 300 }),
    );
    const types = async (query: Json) => (await list(id, query)).map(({ type }) => type).join("");
    expect(await types({})).toBe("BDAC");
    expect(await types({ sort: "last_seen" })).toBe("BDAC");
    expect(await types({ sort: "first_seen" })).toBe("DABC");
    expect(await types({ sort: "frequency" })).toBe("BDCA");
    expect(await types({ per_page: 2, page: 2 })).toBe("AC");
    const { headers } = await get(errorsOf(id), { per_page: 2 });
    expect([headers.get("x-total"), headers.get("x-next-page")]).toEqual(["4", "2"]);
  });

  test("is searched in name, description and actor, whatever the case", async () => {
    const { id } = await reported(
      of("TypeError", { transaction: "GET /carts" }),
      of("RangeError", { transaction: "worker" }),
      of("Timeout", { transaction: "GET /users" }),
    );
    const found = async (query: string) =>
      (await list(id, { query, sort: "first_seen" })).map(({ type }) => type).sort();
    expect(await found("error")).toEqual(["RangeError", "TypeError"]);
    expect(await found("GET /")).toEqual(["Timeout", "TypeError"]);
    expect(await found("RANGEERROR FAILED")).toEqual(["RangeError"]);
    expect(await found("o")).toEqual(["RangeError", "Timeout", "TypeError"]);
    expect(await found("nothing")).toEqual([]);
    expect(await found(" ")).toHaveLength(3);
  });

  test("shows unresolved ones by default", async () => {
    const { id, path } = await reported(of("A"), of("B"), of("C"));
    const [c, b] = await list(id, { sort: "frequency" });
    await set(`${path}/${c.id}`, { status: "resolved" });
    await set(`${path}/${b.id}`, { status: "ignored" });
    const types = async (query: Json) => (await list(id, query)).map(({ type }) => type).join("");
    expect(await types({})).toBe("A");
    expect(await types({ status: "unresolved" })).toBe("A");
    expect(await types({ status: "resolved" })).toBe("C");
    expect(await types({ status: "ignored", query: "b" })).toBe("B");
    expect(await types({ status: "all" })).toHaveLength(3);
  });

  test("refuses unknown values", async () => {
    const { id } = await reported();
    expect((await get(errorsOf(id), { status: "open" })).body.error).toBe("status does not have a valid value");
    expect((await get(errorsOf(id), { sort: "id" })).body.error).toBe("sort does not have a valid value");
  });
});

describe("a status", () => {
  test("is set by developers, and stays when a new event arrives", async () => {
    const { id, path, collector } = await reported(eventOf());
    const [error] = await list(id);
    for (const status of ["resolved", "ignored", "unresolved", "resolved", "resolved"]) {
      expect(await set(`${path}/${error.id}`, { status })).toMatchObject({ status: 200, body: { ...error, status } });
    }
    await collector.report(eventOf());
    expect((await get(`${path}/${error.id}`)).body).toMatchObject({ status: "resolved", count: 2 });
  });

  test("has to be one of three", async () => {
    const { id, path } = await reported(eventOf());
    const [error] = await list(id);
    for (const status of ["open", "all", ""]) {
      const answer = await set(`${path}/${error.id}`, { status });
      expect(answer).toMatchObject({ status: 400, body: { error: "status does not have a valid value" } });
    }
    expect((await set(`${path}/${error.id}`, {})).body.error).toBe("status is missing");
  });
});

test("a caller who may not read or change errors is refused", async () => {
  const { id, path } = await reported(eventOf());
  const [error] = await list(id);
  const one = `${path}/${error.id}`;
  const json = { status: "resolved" };
  expect((await world.call("PUT", one, { token: reporter.token, json })).status).toBe(403);
  for (const each of [path, one, `${one}/events`, `${one}/events/latest`]) {
    expect((await world.call("GET", each)).status).toBe(401);
  }
  const stranger = await world.user();
  const hidden = await world.call("GET", one, { token: stranger.token });
  expect(hidden).toMatchObject({ status: 404, body: { message: "404 Project Not Found" } });
});

test("errors that do not exist, or are of another project, are 404", async () => {
  const { path } = await reported();
  const other = await reported(eventOf());
  const [error] = await list(other.id);
  for (const id of [999_999, error.id]) {
    for (const suffix of ["", "/events", "/events/latest"]) {
      const answer = await get(`${path}/${id}${suffix}`);
      expect(answer).toMatchObject({ status: 404, body: { message: "404 Error Not Found" } });
    }
    expect((await set(`${path}/${id}`, { status: "ignored" })).body).toEqual({ message: "404 Error Not Found" });
  }
});

test("errors are 404 without a setting, and readable with one that is off", async () => {
  const bare = places.project(group.id);
  const missing = { status: 404, body: { message: "404 Error Tracking Setting Not Found" } };
  for (const suffix of ["", "/1", "/1/events", "/1/events/latest"]) {
    expect(await get(`${errorsOf(bare.id)}${suffix}`)).toMatchObject(missing);
  }
  expect(await set(`${errorsOf(bare.id)}/1`, { status: "ignored" })).toMatchObject(missing);
  const { id, path } = await reported(eventOf());
  await world.call("PATCH", `/projects/${id}/error_tracking/settings`, { token: rootToken, json: { active: false } });
  const [error] = await list(id);
  expect((await get(`${path}/${error.id}/events`)).body).toHaveLength(1);
});

test("errors are deleted with their project", async () => {
  const { id } = await reported(eventOf(), eventOf({ extra: "x".repeat(20_000) }), eventOf({ transaction: "other" }));
  const left = () =>
    [trackedErrors, errorPayloads].map(
      (each) => world.store.of(each as typeof trackedErrors).by.project_id.find(id).size,
    );
  expect(left()).toEqual([2, 1]);
  await world.call("DELETE", `/projects/${id}`, { token: rootToken });
  await world.jobsDone();
  expect(left()).toEqual([0, 0]);
  expect((await world.get(`/projects/${id}/error_tracking/settings`)).status).toBe(404);
});
