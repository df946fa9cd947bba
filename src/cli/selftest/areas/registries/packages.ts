import { defineArea } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const packages = defineArea("packages", (scenario) => {
  const id = makeProject(scenario, "packages").get("id");
  const version = { id, package_name: "site", package_version: "1.0.0" };
  const file = { ...version, file_name: "site.txt" };
  const deep = { ...version, path: "images/roof", file_name: "roof.txt" };
  const base = "/projects/:id/packages/generic/:package_name/:package_version";
  /** Package clients send a token only after a 401. */
  const refusals = { anonymous: 401 } as const;
  scenario.call(`PUT ${base}/:file_name`, file, { content: { raw: "the site\n", type: "application/octet-stream" } });
  scenario.call(`PUT ${base}/*path/:file_name`, deep, {
    content: { raw: "a roof\n", type: "application/octet-stream" },
  });
  scenario.call(`GET ${base}/:file_name`, file, { expect: "the site\n", refusals });
  scenario.call(`GET ${base}/*path/:file_name`, deep, { expect: "a roof\n", refusals });
  const list = scenario.call(
    "GET /projects/:id/packages",
    { id },
    {
      expect: [{ name: "site", version: "1.0.0", package_type: "generic" }],
    },
  );
  const package_id = list.get("0.id");
  const one = { id, package_id };
  scenario.call("GET /groups/:id/packages", { id: group.get("id") }, { expect: listWith({ id: package_id }) });
  scenario.call("GET /projects/:id/packages/:package_id", one, { expect: { name: "site" } });
  const files = scenario.call("GET /projects/:id/packages/:package_id/package_files", one, {
    expect: listWith({ package_id, file_name: "site.txt", size: 9 }),
  });
  scenario.call("GET /projects/:id/packages/:package_id/pipelines", one);
  scenario.call("DELETE /projects/:id/packages/:package_id/package_files/:package_file_id", {
    ...one,
    package_file_id: files.get("0.id"),
  });
  scenario.call("DELETE /projects/:id/packages/:package_id", one);
  scenario.call("GET /projects/:id/packages/:package_id", one, { status: 404 });
});
