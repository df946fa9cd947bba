import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { digestOf, listWith, pathOf, pattern, text } from "../../values.ts";
import { makeProject } from "../common.ts";

const layer = "a layer\n";
const config = JSON.stringify({
  architecture: "amd64",
  os: "linux",
  rootfs: { type: "layers", diff_ids: [digestOf(layer)] },
});
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: manifestType,
  config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf(config), size: config.length },
  layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", digest: digestOf(layer), size: layer.length }],
});

const bytes = (raw: string) => ({ raw, type: "application/octet-stream" });
const uploads = "/v2/*name/blobs/uploads";

export const containerRegistry = defineArea("container-registry", (scenario) => {
  const project = makeProject(scenario, "images");
  const name = text`${project.get("path_with_namespace")}/app`;
  scenario.call("GET /v2", text`/v2/`);
  push(scenario, name);
  pull(scenario, name);
  const repository = manage(scenario, project.get("id"));
  remove(scenario, name);
  scenario.call("DELETE /projects/:id/registry/repositories/:repository_id", repository);
});

function push(scenario: Scenario, name: Reference): void {
  scenario.call(`POST ${uploads}`, text`/v2/${name}/blobs/uploads/`, {
    query: { digest: digestOf(layer) },
    content: bytes(layer),
    status: 201,
    expectHeaders: { "Docker-Content-Digest": digestOf(layer) },
  });
  const begin = () => scenario.call(`POST ${uploads}`, text`/v2/${name}/blobs/uploads/`, { status: 202 });
  const upload = pathOf(begin().header("Location"));
  scenario.call(`PATCH ${uploads}/:uuid`, upload, {
    content: bytes(config),
    expectHeaders: { Range: `0-${config.length - 1}` },
  });
  scenario.call(`GET ${uploads}/:uuid`, upload);
  scenario.call(`PUT ${uploads}/:uuid`, upload, { query: { digest: digestOf(config) }, content: bytes("") });
  scenario.call(`DELETE ${uploads}/:uuid`, pathOf(begin().header("Location")));
  for (const reference of ["1.0.0", "1.1.0", "2.0.0"])
    scenario.call(
      "PUT /v2/*name/manifests/:reference",
      { name, reference },
      {
        content: { raw: manifest, type: manifestType },
        expectHeaders: { "Docker-Content-Digest": digestOf(manifest) },
      },
    );
}

function pull(scenario: Scenario, name: Reference): void {
  const headers = { accept: manifestType };
  scenario.call("GET /v2/*name/tags/list", { name }, { expect: { name, tags: ["1.0.0", "1.1.0", "2.0.0"] } });
  scenario.call(
    "GET /v2/*name/manifests/:reference",
    { name, reference: "1.0.0" },
    {
      headers,
      expectHeaders: { "Docker-Content-Digest": digestOf(manifest), "Content-Type": manifestType },
    },
  );
  scenario.call("GET /v2/*name/manifests/:reference", { name, reference: "9.9.9" }, { headers, status: 404 });
  scenario.call("GET /v2/*name/blobs/:digest", { name, digest: digestOf(layer) }, { expect: layer });
  scenario.call("GET /v2/*name/referrers/:digest", { name, digest: digestOf(manifest) }, { expect: { manifests: [] } });
}

/** Tests a repository, and returns its path values. */
function manage(scenario: Scenario, id: Reference) {
  const list = "/projects/:id/registry/repositories";
  const found = scenario.call(`GET ${list}`, { id }, { expect: [{ name: "app", project_id: id }] });
  const repository_id = found.get("0.id");
  const one = { id, repository_id };
  scenario.call(
    "GET /groups/:id/registry/repositories",
    { id: group.get("id") },
    { expect: listWith({ id: repository_id }) },
  );
  scenario.call(
    "GET /registry/repositories/:repository_id",
    { repository_id },
    { expect: { path: pattern(/\/images\/app$/) } },
  );
  scenario.call(`GET ${list}/:repository_id/tags`, one, { expect: listWith({ name: "1.1.0" }) });
  scenario.call(
    `GET ${list}/:repository_id/tags/:tag_name`,
    { ...one, tag_name: "1.0.0" },
    { expect: { digest: digestOf(manifest) } },
  );
  scenario.call(`DELETE ${list}/:repository_id/tags/:tag_name`, { ...one, tag_name: "1.0.0" });
  scenario.call(`DELETE ${list}/:repository_id/tags`, one, { query: { name_regex_delete: "1\\..*" } });
  return one;
}

function remove(scenario: Scenario, name: Reference): void {
  scenario.call("DELETE /v2/*name/manifests/:reference", { name, reference: digestOf(manifest) });
  scenario.call("DELETE /v2/*name/blobs/:digest", { name, digest: digestOf(layer) });
}
