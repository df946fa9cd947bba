import type { Recorder } from "./recorder.ts";

/** A public project of the demo, with files and a CI file. */
const project = "/projects/2";
const path = "skylark/website";

/** Records calls about repositories, planning, CI, packages and images. */
export async function recordWork(recorder: Recorder): Promise<void> {
  await recordRepository(recorder);
  await recordPlanning(recorder);
  await recordJobTokenScope(recorder);
  await recordJob(recorder);
  await recordImage(recorder);
  await recorder.api("DELETE /projects/:id", "/projects/33");
}

async function recordRepository(recorder: Recorder): Promise<void> {
  const file = "/projects/:id/repository/files/:file_path";
  const notes = `${project}/repository/files/docs%2Fnotes.md`;
  const commit = { branch: "main", commit_message: "Add notes" };
  await recorder.api(`POST ${file}`, notes, { body: { ...commit, content: "# Notes\n" } });
  await recorder.api(`PUT ${file}`, notes, { body: { ...commit, content: "# Notes of the week\n" } });
  await recorder.api(`GET ${file}`, `${notes}?ref=main`);
  const rules = "/projects/:id/protected_branches";
  const ownRules = `${project}/protected_branches`;
  await recorder.api(`POST ${rules}`, ownRules, { body: { name: "release/*", push_access_level: 30 } });
  await recorder.api(`GET ${rules}`, ownRules);
  await recorder.api(`GET ${rules}/:name`, `${ownRules}/release%2F*`);
  await recorder.api(`PATCH ${rules}/:name`, `${ownRules}/release%2F*`, { body: { allow_force_push: true } });
  const tagRules = "/projects/:id/protected_tags";
  await recorder.api(`POST ${tagRules}`, `${project}/protected_tags`, { body: { name: "v*" } });
  await recorder.api(`GET ${tagRules}`, `${project}/protected_tags`);
  await recorder.api(`GET ${tagRules}/:name`, `${project}/protected_tags/v*`);
  const snippet = { title: "Colours of the site", visibility: "public" };
  const files = [{ file_path: "colours.css", content: "body { color: navy }\n" }];
  await recorder.api("POST /snippets", "/snippets", { body: { ...snippet, files } });
  await recorder.api("POST /projects/:id/snippets", `${project}/snippets`, { body: { ...snippet, files } });
}

async function recordPlanning(recorder: Recorder): Promise<void> {
  const issue = `${project}/issues/1`;
  for (const name of ["closed_by", "related_merge_requests"]) {
    await recorder.api(`GET /projects/:id/issues/:issue_iid/${name}`, `${issue}/${name}`);
  }
  await recorder.api("POST /projects/:id/issues/:issue_iid/notes", `${issue}/notes`, {
    ...{ body: { body: "/estimate 2h" }, status: 202 },
  });
  const epic = await recorder.api("POST /groups/:id/epics", "/groups/42/epics", {
    body: { title: "A calmer website" },
  });
  const { field } = await recorder.api("GET /projects/:id/issues/:issue_iid", issue);
  await recorder.api(
    "POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id",
    `/groups/42/epics/${epic.field("iid")}/issues/${field("id")}`,
  );
}

async function recordJobTokenScope(recorder: Recorder): Promise<void> {
  const scope = "/projects/:id/job_token_scope";
  const own = `${project}/job_token_scope`;
  await recorder.api(`POST ${scope}/allowlist`, `${own}/allowlist`, { body: { target_project_id: 1 } });
  await recorder.api(`POST ${scope}/groups_allowlist`, `${own}/groups_allowlist`, { body: { target_group_id: 47 } });
  await recorder.api(`GET ${scope}/groups_allowlist`, `${own}/groups_allowlist`);
}

/** Runs a pipeline with a job that publishes a package. */
async function recordJob(recorder: Recorder): Promise<void> {
  const made = await recorder.api("POST /user/runners", "/user/runners", {
    body: { runner_type: "project_type", project_id: 2, description: "desk", run_untagged: true },
  });
  const token = made.field("token");
  await recorder.api("POST /runners/verify", "/runners/verify", { headers: {}, body: { token } });
  const pipeline = await recorder.api("POST /projects/:id/pipeline", `${project}/pipeline`, {
    body: { ref: "main", variables: [{ key: "DEPLOY_TO", value: "staging" }] },
  });
  const run = `${project}/pipelines/${pipeline.field("id")}`;
  await recorder.api("GET /projects/:id/pipelines/:pipeline_id/variables", `${run}/variables`);
  await recorder.api("GET /projects/:id/pipelines/:pipeline_id/bridges", `${run}/bridges`);
  const taken = await recorder.api("POST /jobs/request", "/jobs/request", {
    headers: {},
    body: { token },
    status: 201,
  });
  const job = `/jobs/${taken.field("id")}`;
  const artifacts = new FormData();
  artifacts.append("file", new File(["[]\n"], "report.json"));
  artifacts.append("artifact_type", "codequality");
  artifacts.append("artifact_format", "raw");
  const asJob = { "JOB-TOKEN": taken.field("token") };
  await recorder.api("POST /jobs/:id/artifacts", `${job}/artifacts`, { headers: asJob, body: artifacts });
  await recordPackage(recorder, asJob);
  await recorder.api("PUT /jobs/:id", job, { headers: {}, body: { token: taken.field("token"), state: "success" } });
  await recorder.api(
    "POST /runners/:id/reset_authentication_token",
    `/runners/${made.field("id")}/reset_authentication_token`,
  );
}

async function recordPackage(recorder: Recorder, headers: Readonly<Record<string, string>>): Promise<void> {
  const version = "/packages/generic/:package_name/:package_version";
  const own = `${project}/packages/generic/site/1.0.0`;
  await recorder.api(`PUT /projects/:id${version}/:file_name`, `${own}/site.txt`, { headers, body: "the site\n" });
  await recorder.api(`PUT /projects/:id${version}/*path/:file_name`, `${own}/images/roof.txt`, {
    ...{ headers, body: "a roof\n" },
  });
  for (const [operation, file] of [
    ["/:file_name", "page.txt"],
    ["/*path/:file_name", "images/door.txt"],
  ]) {
    await recorder.api(`PUT /projects/:id${version}${operation}`, `${own}/${file}?select=package_file`, {
      ...{ headers, body: "a page\n" },
    });
  }
  const published = `${project}/packages?package_name=site`;
  const listed = await recorder.api("GET /projects/:id/packages", published);
  await recorder.api(
    "GET /projects/:id/packages/:package_id/pipelines",
    `${project}/packages/${listed.field("id")}/pipelines`,
  );
}

async function recordImage(recorder: Recorder): Promise<void> {
  const repository = `/v2/${path}`;
  const content = "a layer\n";
  const digest = digestOf(content);
  await recorder.call("GET /v2", "/v2/");
  const uploads = "/v2/*name/blobs/uploads";
  await recorder.call(`POST ${uploads}`, `${repository}/blobs/uploads/?digest=${digest}`, { body: content });
  const config = JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [digest] } });
  const { headers } = await recorder.call(`POST ${uploads}`, `${repository}/blobs/uploads/`, { status: 202 });
  const upload = new URL(headers.get("location") ?? "").pathname;
  await recorder.call(`PUT ${uploads}/:uuid`, `${upload}?digest=${digestOf(config)}`, { body: config });
  const descriptor = (mediaType: string, bytes: string) => ({
    ...{ mediaType: `application/vnd.oci.image.${mediaType}`, digest: digestOf(bytes), size: bytes.length },
  });
  const manifest = {
    ...{ schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json" },
    config: descriptor("config.v1+json", config),
    layers: [descriptor("layer.v1.tar", content)],
  };
  await recorder.call("PUT /v2/*name/manifests/:reference", `${repository}/manifests/1.0.0`, {
    body: JSON.stringify(manifest),
  });
  const tags = "/projects/:id/registry/repositories/:repository_id/tags";
  const own = `${project}/registry/repositories/1/tags`;
  await recorder.api(`GET ${tags}`, own);
  await recorder.api(`GET ${tags}/:tag_name`, `${own}/1.0.0`);
  await recorder.api(`DELETE ${tags}/:tag_name`, `${own}/1.0.0`);
}

function digestOf(text: string): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
}
