import { expect, test } from "bun:test";
import { makePackage, uploadTo } from "../../support/ci/packages.ts";
import { putRunningJob } from "../../support/ci/running-job.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { filesOf } from "../ci/triggers-and-pipelines/setting.ts";

const world = await startWorld();
const token = rootToken;
const make = async (kind: string, json: Json): Promise<Json> =>
  (await world.call("POST", `/${kind}`, { token, json })).body;
const sizesOf = async (path: string): Promise<Json> =>
  (await world.get(path, { query: { statistics: true } })).body.statistics;
const groupSizes = async ({ path }: Json): Promise<Json> => {
  const { body } = await world.get("/groups", { query: { statistics: true, search: path } });
  return body.find((group: Json) => group.path === path).statistics;
};
const filled = (sizes: Json) => Object.fromEntries(Object.entries(sizes).filter(([, bytes]) => bytes !== 0));

test("a group shows the sizes of its own projects, its namespace those of all repositories below it", async () => {
  const top = await make("groups", { name: "Bank", path: "bank" });
  const below = await make("groups", { name: "Vault", path: "vault", parent_id: top.id });
  const [ledger, bills] = [
    await make("projects", { path: "ledger", namespace_id: top.id }),
    await make("projects", { path: "bills", namespace_id: top.id }),
  ];
  const safe = await make("projects", { path: "safe", namespace_id: below.id });
  expect([filled(await groupSizes(top)), filled(await groupSizes(below))]).toEqual([{}, {}]);
  await uploadTo(world, ledger.id, "app/1.0/x", { raw: "seven b" });
  await uploadTo(world, bills.id, "app/1.0/x", { raw: "four" });
  await uploadTo(world, safe.id, "app/1.0/x", { raw: "a" });
  for (const { id } of [ledger, safe]) expect((await filesOf(world, id, token).create("a.txt")).status).toBe(201);
  const { repository_size } = await sizesOf(`/projects/${ledger.id}`);
  expect(repository_size).toBeGreaterThan(100);
  expect(filled(await groupSizes(top))).toEqual({
    repository_size,
    packages_size: 11,
    storage_size: repository_size + 11,
  });
  const inSafe = (await sizesOf(`/projects/${safe.id}`)).repository_size;
  const namespaceOf = async ({ id }: Json) => (await world.get(`/namespaces/${id}`)).body.root_repository_size;
  expect([await namespaceOf(top), await namespaceOf(below)]).toEqual([repository_size + inSafe, inSafe]);

  const moved = await world.call("PUT", `/projects/${bills.id}/transfer`, { token, json: { namespace: below.id } });
  expect(moved.status).toBe(200);
  expect([(await groupSizes(top)).packages_size, (await groupSizes(below)).packages_size]).toEqual([7, 5]);
});

test("artifacts count in their project until they are deleted", async () => {
  const { id } = await make("projects", { path: "works" });
  const { job, token: jobToken } = putRunningJob(world, id, 1);
  const upload = async (text: string) => {
    const multipart = new FormData();
    multipart.set("file", new File([text], "artifacts.zip"));
    const headers = { "JOB-TOKEN": jobToken };
    expect((await world.call("POST", `/jobs/${job.id}/artifacts`, { multipart, headers })).status).toBe(201);
  };
  await upload("again");
  await upload("again");
  expect(filled(await sizesOf(`/projects/${id}`))).toEqual({ job_artifacts_size: 5, storage_size: 5 });
  await makePackage(world, id, "app/1.0/x");
  const { packages_size } = await sizesOf(`/projects/${id}`);
  expect((await world.call("PUT", `/jobs/${job.id}`, { json: { token: jobToken, state: "success" } })).status).toBe(
    200,
  );
  expect((await world.call("POST", `/projects/${id}/jobs/${job.id}/erase`, { token })).status).toBe(201);
  expect(filled(await sizesOf(`/projects/${id}`))).toEqual({ packages_size, storage_size: packages_size });
});

test("snippets count in their project until they are deleted", async () => {
  const { id } = await make("projects", { path: "notes" });
  const snippet = await make(`projects/${id}/snippets`, {
    title: "One",
    files: [{ file_path: "a.rb", content: "puts 1" }],
  });
  const { snippets_size: atFirst, storage_size } = await sizesOf(`/projects/${id}`);
  expect([atFirst > 100, storage_size]).toEqual([true, atFirst]);
  const path = `/projects/${id}/snippets/${snippet.id}`;
  const files = [{ action: "update", file_path: "a.rb", content: "puts 2" }];
  expect((await world.call("PUT", path, { token, json: { files } })).status).toBe(200);
  expect((await sizesOf(`/projects/${id}`)).snippets_size).toBeGreaterThan(atFirst);
  expect((await world.call("DELETE", path, { token })).status).toBe(204);
  expect(filled(await sizesOf(`/projects/${id}`))).toEqual({});
});
