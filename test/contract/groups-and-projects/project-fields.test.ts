import { describe, expect, test } from "bun:test";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const acme = places.group({ path: "acme", visibility: "public" });
const people = {
  guest: await world.user(),
  developer: await world.user(),
  maintainer: await world.user(),
  owner: await world.user(),
};
for (const [role, person] of Object.entries(people)) addMember(world, acme, person, role as keyof typeof people);
const stranger = await world.user();
let count = 0;

async function make(more: object = {}): Promise<Json> {
  const json = { path: `p${++count}`, namespace_id: acme.id, visibility: "public", ...more };
  const { status, body, text } = await world.call("POST", "/projects", { token: people.owner.token, json });
  if (status !== 201) throw new Error(text);
  return body;
}
const put = (id: number, json: object, token: string | undefined = people.maintainer.token) =>
  world.call("PUT", `/projects/${id}`, { token, json });
const shown = async (id: number, token: string | undefined, query: object = {}): Promise<Json> =>
  (await world.call("GET", `/projects/${id}`, { token, query: { ...query } })).body;

describe("settings of pipelines", () => {
  const changes = {
    auto_cancel_pending_pipelines: "disabled",
    auto_devops_deploy_strategy: "manual",
    auto_devops_enabled: true,
    build_git_strategy: "clone",
    build_timeout: 900,
    ci_allow_fork_pipelines_to_run_in_parent_project: false,
    ci_default_git_depth: 5,
    ci_forward_deployment_enabled: false,
    ci_forward_deployment_rollback_allowed: false,
    ci_id_token_sub_claim_components: ["project_path", "ref"],
    ci_push_repository_for_job_token_allowed: true,
    ci_separated_caches: false,
    group_runners_enabled: false,
    keep_latest_artifact: false,
    resource_group_default_process_mode: "oldest_first",
  };

  test("are changed by maintainers, and shown to them alone", async () => {
    const { id } = await make();
    const { status, body } = await put(id, changes);
    expect(status).toBe(200);
    expect(body).toMatchObject(changes);
    const kept = ["ci_job_token_scope_enabled", "runners_token", "import_url", "import_type", "import_error"];
    for (const token of [people.guest.token, people.developer.token, stranger.token]) {
      const seen = await shown(id, token);
      for (const name of [...Object.keys(changes), ...kept]) expect(seen).not.toHaveProperty(name);
      expect(seen).toMatchObject({ public_jobs: true, shared_runners_enabled: true, import_status: "none" });
    }
    for (const token of [people.maintainer.token, people.owner.token, rootToken]) {
      const seen = await shown(id, token);
      expect(seen).toMatchObject(changes);
      for (const name of kept) expect(seen).toHaveProperty(name);
    }
  });

  test("have checks of their own", async () => {
    const { id } = await make();
    const owner = people.owner.token;
    for (const seconds of [86_399, 31_557_601]) {
      expect((await put(id, { ci_delete_pipelines_in_seconds: seconds }, owner)).body).toEqual({
        message: { "ci_cd_settings.delete_pipelines_in_seconds": ["must be between 1 day and 1 year"] },
      });
    }
    expect((await put(id, { ci_delete_pipelines_in_seconds: 86_400 })).status).toBe(403);
    const set = await put(id, { ci_delete_pipelines_in_seconds: 86_400 }, owner);
    expect(set.body.ci_delete_pipelines_in_seconds).toBe(86_400);
    const cleared = await put(id, { ci_delete_pipelines_in_seconds: null }, owner);
    expect(cleared.body.ci_delete_pipelines_in_seconds).toBeNull();
    expect((await put(id, { ci_id_token_sub_claim_components: ["ref"] })).body).toEqual({
      message: {
        "ci_cd_settings.id_token_sub_claim_components": ["project_path must be the first element of the sub claim"],
      },
    });
    const claims = ["project_path", "colour"];
    expect((await put(id, { ci_id_token_sub_claim_components: claims })).body.message).toEqual({
      "ci_cd_settings.id_token_sub_claim_components": ["colour is not an allowed sub claim component"],
    });
  });

  test("let owners alone give the role of owners over variables, and take it back", async () => {
    const { id } = await make();
    const role = "ci_pipeline_variables_minimum_override_role";
    const refused = await put(id, { [role]: "owner" });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { message: `Changing the ${role} to the owner role is not allowed` },
    });
    expect((await put(id, { [role]: "no_one_allowed" })).body[role]).toBe("no_one_allowed");
    expect((await put(id, { [role]: "owner" }, people.owner.token)).body[role]).toBe("owner");
    for (const json of [{ [role]: "developer" }, { restrict_user_defined_variables: false }]) {
      expect((await put(id, json)).body).toEqual({
        message: `Changing the restrict_user_defined_variables or ${role} is not allowed`,
      });
    }
    expect((await put(id, { [role]: "owner", description: "same" })).status).toBe(200);
  });

  test("take the largest size of artifacts from administrators, and drop it for others", async () => {
    const { id } = await make();
    expect((await put(id, { max_artifacts_size: 5 })).body.max_artifacts_size).toBeNull();
    expect((await put(id, { max_artifacts_size: 5 }, rootToken)).body.max_artifacts_size).toBe(5);
    expect((await put(id, { max_artifacts_size: 0 }, rootToken)).body).toEqual({
      message: { max_artifacts_size: ["must be greater than 0"] },
    });
  });
});

describe("container_expiration_policy", () => {
  test("is off at first, and keeps what is not changed", async () => {
    const { id, created_at, container_expiration_policy } = await make();
    const initial = { cadence: "1d", enabled: false, keep_n: 10, older_than: "90d", name_regex: ".*" };
    expect(container_expiration_policy).toEqual({
      ...initial,
      name_regex_keep: null,
      next_run_at: new Date(Date.parse(created_at) + 86_400_000).toISOString(),
    });
    const given = { cadence: "1month", keep_n: 1, name_regex_keep: "foo.*" };
    const { status, body } = await put(id, { container_expiration_policy_attributes: given });
    expect(status).toBe(200);
    expect(body.container_expiration_policy).toMatchObject({ ...initial, ...given });
    const back = { cadence: "1d", keep_n: 10, name_regex_keep: null };
    const { body: again } = await put(id, { container_expiration_policy_attributes: back });
    expect(again.container_expiration_policy).toEqual(container_expiration_policy);
  });

  test.each<[object, object]>([
    [
      { name_regex_keep: "[" },
      { "container_expiration_policy.name_regex_keep": ["not valid RE2 syntax: missing ]: ["] },
    ],
    [{ cadence: "2d" }, { "container_expiration_policy.cadence": ["is not included in the list"] }],
    [{ keep_n: 2 }, { "container_expiration_policy.keep_n": ["is not included in the list"] }],
    [{ older_than: "1d" }, { "container_expiration_policy.older_than": ["is not included in the list"] }],
    [{ enabled: true, name_regex: "" }, { "container_expiration_policy.name_regex": ["can't be blank"] }],
  ])("refuses %j", async (given, message) => {
    const { id } = await make();
    const { status, body } = await put(id, { container_expiration_policy_attributes: given });
    expect({ status, body }).toEqual({ status: 400, body: { message } });
  });

  test("refuses a number that is none by its name", async () => {
    const { id } = await make();
    const { status, body } = await put(id, { container_expiration_policy_attributes: { keep_n: "not_int" } });
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: "container_expiration_policy_attributes[keep_n] is invalid",
    });
  });
});

describe("the parts of a project", () => {
  test("are enabled for whom they are", async () => {
    const levels = { issues_access_level: "private", wiki_access_level: "disabled", builds_access_level: "enabled" };
    const { id } = await make(levels);
    const member = await shown(id, people.guest.token);
    expect(member).toMatchObject({ issues_enabled: true, wiki_enabled: false, jobs_enabled: true, ...levels });
    expect(await shown(id, stranger.token)).toMatchObject({ issues_enabled: false, jobs_enabled: true, ...levels });
  });

  test("have links where the caller sees them", async () => {
    const { id } = await make({ issues_enabled: false, merge_requests_access_level: "private" });
    const self = `${world.origin}/api/v4/projects/${id}`;
    const always = {
      self,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
      cluster_agents: `${self}/cluster_agents`,
    };
    expect((await shown(id, stranger.token))._links).toEqual(always);
    const merging = { ...always, merge_requests: `${self}/merge_requests` };
    expect((await shown(id, people.guest.token))._links).toEqual(merging);
  });

  test("of the code are shown to its readers", async () => {
    const { id } = await make({ repository_access_level: "private", ci_config_path: "a/b.yml" });
    const fields = ["ci_config_path", "default_branch", "readme_url", "forks_count"];
    for (const token of [stranger.token, people.guest.token, undefined]) {
      const seen = await shown(id, token);
      for (const name of fields) expect(seen).not.toHaveProperty(name);
    }
    expect(await shown(id, people.developer.token)).toMatchObject({ ci_config_path: "a/b.yml", forks_count: 0 });
  });

  test("include the description as HTML, the format of the repository and the time of the last change", async () => {
    const description = "First <b> :coffee:\n\nsecond";
    const made = await make({ description, repository_object_format: "sha1" });
    expect(await shown(made.id, stranger.token)).toMatchObject({
      description_html: '<p dir="auto">First &lt;b&gt; ☕</p>\n<p dir="auto">second</p>',
      repository_object_format: "sha1",
      updated_at: made.updated_at,
      warn_about_potentially_unwanted_characters: true,
    });
    expect((await make()).description_html).toBe("");
  });
});

describe("license=true", () => {
  const commit = (id: number, path: string, content: string) =>
    world.call("POST", `/projects/${id}/repository/files/${path}`, {
      token: people.owner.token,
      json: { branch: "main", content, commit_message: "x" },
    });
  const mit = `MIT License\n\nCopyright (c) 2025\n\nPermission is hereby granted, free of charge, to any person obtaining
a copy of this software, to deal in the Software without restriction.`;

  test("adds the license of the code, for those who may read it", async () => {
    const made = await make({ initialize_with_readme: true });
    expect(await shown(made.id, stranger.token)).not.toHaveProperty("license");
    expect(await shown(made.id, undefined, { license: true })).toMatchObject({ license: null, license_url: null });
    expect((await commit(made.id, "LICENSE", mit)).status).toBe(201);
    const wanted = {
      license_url: `${made.web_url}/-/blob/main/LICENSE`,
      license: {
        key: "mit",
        name: "MIT License",
        nickname: null,
        html_url: "http://choosealicense.com/licenses/mit/",
        source_url: "https://opensource.org/licenses/MIT",
      },
    };
    for (const token of [stranger.token, undefined]) {
      expect(await shown(made.id, token, { license: true })).toMatchObject(wanted);
    }
    await put(made.id, { repository_access_level: "private" });
    expect(await shown(made.id, stranger.token, { license: true })).not.toHaveProperty("license");
    const [listed] = (await world.call("GET", "/projects", { token: stranger.token, query: { license: true } })).body;
    expect(listed).not.toHaveProperty("license");
  });

  test.each([
    [
      "COPYING",
      `GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007\n${" as is".repeat(20)} the GNU Lesser General Public License`,
      "gpl-3.0",
    ],
    ["LICENSE.md", "GNU LESSER GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007", "lgpl-3.0"],
    ["LICENCE", "Apache License\n Version 2.0, January 2004", "apache-2.0"],
    ["LICENSE", "Do what you want.", "other"],
  ])("tells the license in %s apart", async (path, text, key) => {
    const { id } = await make({ initialize_with_readme: true });
    await commit(id, path, text);
    expect((await shown(id, stranger.token, { license: true })).license.key).toBe(key);
  });

  test("of an empty repository is null", async () => {
    const { id } = await make();
    expect(await shown(id, stranger.token, { license: true })).toMatchObject({ license: null, license_url: null });
  });
});

describe("restricted_visibility_levels", () => {
  test("keep all but administrators from giving these visibilities", async () => {
    const { id: made } = await make({ visibility: "private" });
    const put = (levels: string[]) =>
      world.call("PUT", "/application/settings", {
        token: rootToken,
        json: { restricted_visibility_levels: levels },
      });
    expect((await put(["public", "internal"])).body.restricted_visibility_levels).toEqual(["public", "internal"]);
    const message = { visibility_level: ["internal has been restricted by your GitLab administrator"] };
    const json = { path: "restricted", namespace_id: acme.id, visibility: "internal" };
    const token = people.owner.token;
    expect((await world.call("POST", "/projects", { token, json })).body).toEqual({ message });
    const changed = await world.call("PUT", `/projects/${made}`, { token, json: { visibility: "internal" } });
    expect({ status: changed.status, body: changed.body }).toEqual({ status: 400, body: { message } });
    const group = await world.call("POST", "/groups", { token, json: { ...json, name: "x" } });
    expect(group.body).toEqual({
      message:
        'Failed to save group {:visibility_level=>["internal has been restricted by your GitLab administrator"]}',
    });
    expect((await world.call("POST", "/projects", { token: rootToken, json })).status).toBe(201);
    expect((await world.call("GET", `/users?username=${stranger.username}`)).status).toBe(403);
    expect((await world.call("GET", "/users", { token })).status).toBe(200);
    expect((await put(["secret"])).status).toBe(400);
    expect((await put([])).status).toBe(200);
    expect((await world.call("GET", `/users?username=${stranger.username}`)).status).toBe(200);
  });
});
