import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { putGroupLink, putProjectLink } from "../../../support/ci/job-token-links.ts";
import { alterJob, putRunningJob } from "../../../support/ci/running-job.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type CallOptions, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member, alterProject } = placesOf(world);
const ines = await world.user({ username: "ines" });

const ledger = project(group({ path: "bank" }).id, { path: "ledger" });
const bills = project(group({ path: "shop" }).id, { path: "bills" });
member(ledger, ines.id, accessLevels.developer);
member(bills, ines.id, accessLevels.developer);

const asHeader = (token: string): CallOptions => ({ headers: { "JOB-TOKEN": token } });
const asBasic = (token: string, name = "gitlab-ci-token"): CallOptions => ({
  headers: { Authorization: `Basic ${btoa(`${name}:${token}`)}` },
});
/** The plain text that git shows. */
const refusedFetch = (from: string, to: string) =>
  `Authentication by CI/CD job token not allowed from ${from} to ${to}.\n`;
const hiddenText = "The project you were looking for could not be found or you don't have permission to view it.\n";
const fetchRefs = (path: string, options: CallOptions) => world.call("GET", `/${path}.git/info/refs`, options);
const unauthorized = { message: "401 Unauthorized" };
const refusal = (from: string, to: string) => ({
  message: `403 Forbidden - Authentication by CI/CD job token not allowed from ${from} to ${to}.`,
});

describe("the token of a running job", () => {
  const { token, job } = putRunningJob(world, ledger.id, ines.id);

  test("authenticates its own job, from the header, the query and the password of Basic", async () => {
    for (const options of [asHeader(token), { query: { job_token: token } }]) {
      const { status, body } = await world.call("GET", "/job", options);
      expect([status, body.id, body.status, body.user.username]).toEqual([200, job.id, "running", "ines"]);
    }
    for (const options of [asBasic(token), asBasic(token, "anybody")]) {
      expect((await fetchRefs("bank/ledger", options)).status).toBe(200);
      expect((await world.call("GET", "/job", options)).status).toBe(401);
    }
  });

  test("is read after every other token", async () => {
    const headers = { "JOB-TOKEN": token, "PRIVATE-TOKEN": ines.token };
    const { status, body } = await world.call("GET", "/job", { headers });
    expect([status, body]).toEqual([404, { message: "404 Job Not Found" }]);
    expect((await world.call("GET", "/user", { headers })).body.username).toBe("ines");
    const both = await world.call("GET", "/user", { ...asHeader("nobody's"), query: { access_token: ines.token } });
    expect(both.status).toBe(200);
  });

  test("is ignored where no job token is accepted: 401 wherever authentication is required", async () => {
    const open = project(group({ visibility: "public" }).id, { visibility: "public" });
    expect((await world.call("GET", "/user", asHeader(token))).body).toEqual(unauthorized);
    expect((await world.call("GET", `/projects/${ledger.id}`, asHeader(token))).status).toBe(404);
    expect((await world.call("GET", `/projects/${open.id}`, asHeader(token))).status).toBe(200);
    expect(
      (await world.call("POST", `/projects/${open.id}/issues`, { json: { title: "x", job_token: token } })).body,
    ).toEqual(unauthorized);
  });

  test("is no access token", async () => {
    for (const headers of [{ "PRIVATE-TOKEN": token }, { Authorization: `Bearer ${token}` }]) {
      expect((await world.call("GET", "/job", { headers })).status).toBe(401);
    }
    expect((await world.call("GET", "/job", asHeader(ines.token))).body).toEqual(unauthorized);
  });

  test("does not allow sudo", async () => {
    const boss = await world.user({ admin: true });
    const bosses = putRunningJob(world, ledger.id, boss.id).token;
    const sudo = (given: string) => world.call("GET", "/job", { ...asHeader(given), query: { sudo: "ines" } });
    expect((await sudo(token)).body).toEqual({ message: "403 Forbidden - Must be admin to use sudo" });
    expect((await sudo(bosses)).body).toEqual({
      message: "403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo",
    });
  });

  test("is counted for its user, and never logged", async () => {
    const path = "/application/settings";
    const set = (json: object) => world.call("PUT", path, { token: rootToken, json });
    const busy = await world.user();
    await set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 1 });
    const busyToken = putRunningJob(world, ledger.id, busy.id).token;
    const statuses = [];
    for (let count = 0; count < 2; count += 1)
      statuses.push((await world.call("GET", "/job", asHeader(busyToken))).status);
    world.clock.advance(4_000_000);
    await set({ throttle_authenticated_api_enabled: false });
    expect(statuses).toEqual([200, 429]);
    expect(world.logged.join()).not.toContain(busyToken);
  });
});

describe("an invalid job token", () => {
  test("is 401 when unknown, and ignored where no job token is accepted", async () => {
    for (const path of ["/job", "/version"]) {
      expect((await world.call("GET", path, asHeader("glcbt-nobody"))).body).toEqual(unauthorized);
    }
    for (const options of [asHeader("glcbt-nobody"), { query: { job_token: "glcbt-nobody" } }]) {
      expect((await world.call("GET", "/projects", options)).status).toBe(200);
    }
    expect((await fetchRefs("bank/ledger", asBasic("glcbt-nobody"))).status).toBe(401);
  });

  test("is invalid once its job ends, for any reason", async () => {
    for (const status of ["success", "failed", "canceled"] as const) {
      const { token, job } = putRunningJob(world, ledger.id, ines.id);
      expect((await world.call("GET", "/job", asHeader(token))).status).toBe(200);
      alterJob(world, job, { status });
      expect((await world.call("GET", "/job", asHeader(token))).body).toEqual(unauthorized);
      expect((await fetchRefs("bank/ledger", asBasic(token))).status).toBe(401);
    }
    const { token, job } = putRunningJob(world, ledger.id, ines.id);
    await world.call("POST", `/projects/${ledger.id}/jobs/${job.id}/cancel`, { token: rootToken });
    expect((await world.call("GET", "/job", asHeader(token))).status).toBe(401);
  });

  test("is invalid once its project is deleted", async () => {
    const gone = project(group().id);
    const { token } = putRunningJob(world, gone.id, ines.id);
    await world.call("DELETE", `/projects/${gone.id}`, { token: rootToken });
    expect((await world.call("GET", "/job", asHeader(token))).body).toEqual(unauthorized);
    await world.jobsDone();
    expect((await world.call("GET", "/job", asHeader(token))).body).toEqual(unauthorized);
  });

  test("does not work for a blocked user", async () => {
    const blocked = await world.user();
    const { token } = putRunningJob(world, ledger.id, blocked.id);
    world.alter(blocked.id, { state: "blocked" });
    const { status, body } = await world.call("GET", "/job", asHeader(token));
    expect([status, body]).toEqual([403, { message: "403 Forbidden - Your account has been blocked." }]);
  });
});

describe("in another project", () => {
  test("a job is refused unless its project, or a group above it, is listed there", async () => {
    const { token } = putRunningJob(world, bills.id, ines.id);
    const fetch = async () => {
      const { status, text } = await fetchRefs("bank/ledger", asBasic(token));
      return status === 200 ? 200 : text;
    };
    expect(await fetch()).toBe(refusedFetch("bills", "ledger"));
    putProjectLink(world, ledger, bills);
    expect(await fetch()).toBe(200);
    // The list of one is not that of the other.
    const back = putRunningJob(world, ledger.id, ines.id).token;
    expect((await fetchRefs("shop/bills", asBasic(back))).text).toBe(refusedFetch("ledger", "bills"));
  });

  test("a listed group covers all its descendants", async () => {
    const top = group({ path: "top" });
    const deep = group({ parent_id: group({ parent_id: top.id }).id });
    const target = project(group({ path: "vault" }).id, { path: "gold" });
    member(target, ines.id, accessLevels.developer);
    const { token } = putRunningJob(world, project(deep.id, { path: "miner" }).id, ines.id);
    expect((await fetchRefs("vault/gold", asBasic(token))).text).toBe(refusedFetch("miner", "gold"));
    putGroupLink(world, target, top);
    expect((await fetchRefs("vault/gold", asBasic(token))).status).toBe(200);
  });

  test("the list adds no right: who cannot see the project is told what they are told of none", async () => {
    const { token } = putRunningJob(world, bills.id, (await world.user()).id);
    const target = project(group({ path: "other" }).id, { path: "target" });
    putProjectLink(world, target, bills);
    const packages = (id: number) => world.call("GET", `/projects/${id}/packages`, asHeader(token));
    const refused = await packages(target.id);
    expect([refused.status, refused.body]).toEqual([404, { message: "404 Project Not Found" }]);
    expect((await packages(999_999)).body).toEqual(refused.body);
    expect((await fetchRefs("other/target", asBasic(token))).text).toBe(hiddenText);
    const guest = await world.user();
    member(target, guest.id, accessLevels.guest);
    const guests = putRunningJob(world, bills.id, guest.id).token;
    expect((await fetchRefs("other/target", asBasic(guests))).text).toBe(
      "You are not allowed to download code from this project.\n",
    );
    expect((await fetchRefs("other/none", asBasic(token))).status).toBe(404);
  });

  test("a job is allowed wherever the allowlist is off", async () => {
    const target = project(group({ path: "wide" }).id, {
      path: "open",
      settings: { inbound_job_token_scope_enabled: false },
    });
    const { token } = putRunningJob(world, bills.id, ines.id);
    expect((await fetchRefs("wide/open", asBasic(token))).status).toBe(404);
    member(target, ines.id, accessLevels.reporter);
    expect((await fetchRefs("wide/open", asBasic(token))).status).toBe(200);
  });

  test("public and internal projects allow every job where the feature is open to all", async () => {
    const { token } = putRunningJob(world, bills.id, ines.id);
    for (const visibility of ["public", "internal"] as const) {
      const target = project(group({ path: `seen-${visibility}`, visibility }).id, { path: "p", visibility });
      const path = `seen-${visibility}/p`;
      expect((await fetchRefs(path, asBasic(token))).status).toBe(200);
      alterProject(target, { settings: { repository_access_level: "private" } });
      expect((await fetchRefs(path, asBasic(token))).text).toBe(refusedFetch("bills", "p"));
    }
    const external = await world.user({ external: true });
    const externals = putRunningJob(world, bills.id, external.id).token;
    expect((await fetchRefs("seen-internal/p", asBasic(externals))).status).toBe(404);
  });

  test("public projects let jobs read, not write, unless they are listed", async () => {
    const target = project(group({ path: "world", visibility: "public" }).id, { path: "wide", visibility: "public" });
    member(target, ines.id, accessLevels.maintainer);
    const { token } = putRunningJob(world, bills.id, ines.id);
    const at = `/projects/${target.id}/packages`;
    const put = () =>
      world.call("PUT", `${at}/generic/pump/1.0/pump.bin`, { raw: new Uint8Array([1]), ...asHeader(token) });
    const run = () => world.call("POST", `/projects/${target.id}/trigger/pipeline`, { json: { token, ref: "main" } });
    expect((await world.call("GET", at, asHeader(token))).status).toBe(200);
    const refused = await put();
    expect([refused.status, refused.body]).toEqual([403, refusal("bills", "wide")]);
    expect((await run()).status).toBe(404);
    putProjectLink(world, target, bills);
    expect((await put()).status).toBe(201);
    expect((await run()).status).toBe(400);
  });

  test("a former path gives no more access than the current one", async () => {
    const target = project(group({ path: "moving" }).id, { path: "before" });
    member(target, ines.id, accessLevels.developer);
    await world.call("PUT", `/projects/${target.id}`, { token: rootToken, json: { path: "after" } });
    const { token } = putRunningJob(world, bills.id, ines.id);
    expect((await fetchRefs("moving/before", asBasic(token))).text).toBe(refusedFetch("bills", "after"));
    putProjectLink(world, target, bills);
    expect((await fetchRefs("moving/before", asBasic(token))).status).toBe(200);
  });
});
