import { expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { turnOwnerOf } from "../../../src/http/auth/turn-owner.ts";
import type { RequestContext } from "../../../src/http/entry/request-context.ts";
import { putRunningJob } from "../../support/ci/running-job.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const { id, token } = await world.user();
const { group, project } = placesOf(world);
const job = putRunningJob(world, project(group().id).id, id);
const user = `user ${id}`;
const network = "203.0.113.7";

function ownerOf(headers: Record<string, string>, search = ""): string {
  const request = new Request("http://localhost/api/v4/version", { headers });
  return turnOwnerOf(world.context, { request, search, ipAddress: () => network } as RequestContext);
}

test.each([
  [{ "PRIVATE-TOKEN": token }, ""],
  [{ Authorization: `Bearer ${token}` }, ""],
  [{ Authorization: `Basic ${btoa(`x:${token}`)}` }, ""],
  [{}, `private_token=${token}`],
  [{}, `access_token=${token}`],
  [{ "JOB-TOKEN": job.token }, ""],
  [{}, `job_token=${job.token}`],
  [{ Authorization: `Basic ${btoa(`x:${job.token}`)}` }, ""],
  [{ "PRIVATE-TOKEN": "made up", Cookie: "a=b" }, `search=x&private_token=${token}`],
  [{ "PRIVATE-TOKEN": token, Authorization: "Bearer made-up" }, "private_token=made-up"],
])("a request with a token of a user belongs to the user: %j %s", (headers, search) => {
  expect(ownerOf(headers, search)).toBe(user);
});

test("the owner is found when the request may do no more work", () => {
  expect(withBudget(new WorkBudget(0), () => ownerOf({ "PRIVATE-TOKEN": token }))).toBe(user);
});

test.each([
  [{}, ""],
  [{ "PRIVATE-TOKEN": "made up" }, ""],
  [{ Authorization: "Bearer made-up" }, "private_token=made-up"],
  [{ Authorization: `Basic ${btoa("x:made up")}` }, ""],
  [{ Cookie: "outpost_session=made-up" }, ""],
  [{ "JOB-TOKEN": "made up" }, "job_token=made-up"],
])("a request without a credential that somebody has belongs to its network: %j %s", (headers, search) => {
  expect(ownerOf(headers, search)).toBe(network);
});
