import { expect, test } from "bun:test";
import { operations } from "../../../../support/checks/operations.ts";
import { allSamples, nameOf, sampleOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
const { world, boss, places } = scene;
const samples = allSamples(scene);

/**
 * Operations on things without `updated_at`: files of a repository, images and their uploads,
 * several things at once, links between an epic and an issue, client keys, runner managers, browser sessions, and one
 * setting of a project.
 */
const unconditional: readonly string[] = [
  "DELETE /-/backups/:name",
  "DELETE /v2/*name/manifests/:reference",
  "DELETE /v2/*name/blobs/:digest",
  "DELETE /projects/:id/registry/repositories/:repository_id/tags",
  "DELETE /v2/*name/blobs/uploads/:uuid",
  "DELETE /projects/:id/repository/files/:file_path",
  "DELETE /projects/:id/artifacts",
  "DELETE /projects/:id/repository/merged_branches",
  "DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id",
  "DELETE /projects/:id/error_tracking/client_keys/:key_id",
  "DELETE /projects/:id/alert_management_on_call_integration",
  "DELETE /runners/managers",
  "DELETE /-/session",
  "DELETE /-/sessions/:id",
];

const deletes = operations.filter(({ method }) => method === "DELETE");

for (const operation of deletes) {
  const name = nameOf(operation);
  if (unconditional.includes(name)) continue;

  test(`${name} deletes nothing that has changed since, and deletes what has not`, async () => {
    const { token } = await world.token(boss.id, { scopes: ["api"] });
    const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
    const send = (since: string) =>
      world.call("DELETE", path, { ...options, token, headers: { "If-Unmodified-Since": since } });
    const readable = operations.some(({ method, path }) => method === "GET" && path === operation.path);
    const read = async () => {
      const { status, text } = await world.get(path);
      return readable ? { status, text } : undefined;
    };
    const [before, events] = [await read(), world.events().length];

    for (const early of ["Sat, 01 Jan 2000 00:00:00 GMT", "2000-01-01T00:00:00.000Z"]) {
      const { status, body } = await send(early);
      expect({ status, body }).toEqual({ status: 412, body: { message: "412 Precondition Failed" } });
    }
    expect(await read()).toEqual(before);
    expect(world.events()).toHaveLength(events);

    const { status, text } = await send("Fri, 01 Jan 2100 00:00:00 GMT");
    expect(status).toBeOneOf([200, 202, 204]);
    if (status === 204) expect(text).toBe("");
  });
}
