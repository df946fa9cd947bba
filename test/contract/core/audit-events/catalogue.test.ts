import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { acts, callerOf } from "./acts/index.ts";

const world = await startWorld();
const call = callerOf(world);

/** A number or text that only the act itself knows. */
const own = (act: Json) => ({
  ...act,
  ...("member_id" in act ? { member_id: expect.any(Number) } : {}),
});

describe("every act writes its event, once and complete", () => {
  test.each(Object.keys(acts))("%s", async (name) => {
    const before = world.events().length;
    const { event, entity, target, act } = await (acts[name] as (typeof acts)[string])(call, world);
    const found = world
      .events(before)
      .filter(
        ({ event_name, entity_type, entity_id, details }) =>
          event_name === event &&
          entity_type === entity[0] &&
          entity_id === entity[1] &&
          (event !== "personal_access_token_created" || details.target_id === target[1]),
      );
    expect(found).toHaveLength(1);
    const { body } = await call("GET", `/audit_events/${found[0]?.id}`);
    expect(body).toMatchObject({ entity_type: entity[0], entity_id: entity[1], event_name: event, event_type: event });
    const { author_name, author_email, author_class, ip_address, ...details } = body.details;
    expect(details).toEqual({
      event_name: event,
      ...own(act),
      target_type: target[0],
      target_id: target[1],
      target_details: target[2],
      entity_path: entity[2],
    });
    expect(author_class).toBe(body.author_id === -1 ? "UnauthenticatedAuthor" : "User");
    expect([typeof author_name, author_email === null || /@/.test(author_email)]).toEqual(["string", true]);
    expect(ip_address === null || /127\.0\.0\.1/.test(ip_address)).toBe(true);
  });
});

/** Lines of audit-events 4 whose act no operation does yet. A new operation moves its line to `acts`. */
const notInTheProduct = [
  ...["group_deletion_marked", "group_restored", "project_deletion_marked", "project_restored"],
  ...["project_fork_operation", "registration_created", "project_group_link_updated"],
  ...["group_share_with_group_link_updated", "add_ssh_key", "remove_ssh_key"],
  ...["project_access_token_created", "project_access_token_deleted", "project_access_token_creation_failed"],
  ...["project_access_token_deletion_failed", "group_access_token_created", "group_access_token_deleted"],
  ...["group_access_token_creation_failed", "group_access_token_deletion_failed"],
  ...["password_reset_requested", "user_impersonation"],
  ...["ci_variable_created", "ci_variable_updated", "ci_variable_deleted"],
  ...["ci_group_variable_created", "ci_group_variable_updated", "ci_group_variable_deleted"],
  ...["ci_instance_variable_created", "ci_instance_variable_updated", "ci_instance_variable_deleted"],
  ...["deploy_token_created", "deploy_token_revoked", "deploy_token_destroyed", "deploy_key_added"],
  "deploy_key_removed",
  ...["webhook_created", "webhook_destroyed", "audit_events_streaming_headers_create"],
  ...["audit_events_streaming_headers_update", "audit_events_streaming_headers_destroy"],
  ...["audit_events_streaming_instance_headers_create", "audit_events_streaming_instance_headers_update"],
  "audit_events_streaming_instance_headers_destroy",
];

test("acts without an operation write no event", () => {
  const modules = join(import.meta.dir, "../../../../src/modules");
  const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const sources = files.map((name) => readFileSync(join(modules, name), "utf8"));
  const written = notInTheProduct.filter((event) => sources.some((source) => source.includes(`"${event}"`)));
  expect(written).toEqual([]);
});

test("issues, labels, milestones, notification settings, requests for access and stars write none", async () => {
  const ann = await world.user();
  const { body: project } = await call("POST", "/projects", { name: "quiet", visibility: "public" });
  const before = world.events().length;
  await call("POST", `/projects/${project.id}/issues`, { title: "Leak" });
  await call("POST", `/projects/${project.id}/labels`, { name: "bug", color: "#ff0000" });
  await call("POST", `/projects/${project.id}/milestones`, { title: "one" });
  await call("PUT", "/notification_settings", { level: "watch" });
  await call("POST", `/projects/${project.id}/access_requests`, undefined, { token: ann.token });
  await call("POST", `/projects/${project.id}/star`);
  await call("GET", `/projects/${project.id}`);
  expect(world.events(before)).toEqual([]);
});

describe("the number of events", () => {
  test("is one for each changed attribute", async () => {
    const { body } = await call("POST", "/groups", { name: "several", path: "several" });
    const before = world.events().length;
    await call("PUT", `/groups/${body.id}`, { name: "Several", visibility: "public", path: "several" });
    expect(world.events(before).map(({ event_name }) => event_name)).toEqual([
      "group_name_updated",
      "group_visibility_level_updated",
    ]);
    const { body: user } = await call("GET", "/users/1");
    await call("PUT", `/users/${user.id}`, { name: "Root", note: "x", linkedin: "y" });
    expect(world.events(before + 2).map(({ event_name }) => event_name)).toEqual(["user_name_updated"]);
  });

  test("is none for a refused request and for one that changes nothing", async () => {
    const { body: group } = await call("POST", "/groups", { name: "same", path: "same" });
    const { body: project } = await call("POST", "/projects", { name: "same", namespace_id: group.id });
    const user = await world.user({ name: "Same" });
    const before = world.events().length;
    await call("PUT", `/groups/${group.id}`, { name: "same", visibility: group.visibility });
    await call("PUT", `/projects/${project.id}`, { name: "same", visibility: project.visibility });
    await call("POST", `/projects/${project.id}/unarchive`);
    await call("PUT", `/users/${user.id}`, { name: "Same", admin: false });
    await call("PUT", "/application/settings", { signup_enabled: true });
    for (const [method, path, json] of [
      ["PUT", `/groups/${group.id}`, { name: "Other", path: "-" }],
      ["PUT", `/projects/${project.id}`, { name: "Other", path: "-" }],
      ["PUT", `/users/${user.id}`, { name: "Other", email: "none" }],
      ["PUT", "/application/settings", { signup_enabled: false, users_get_by_id_limit: -1 }],
    ] as const) {
      expect((await world.call(method, path, { token: rootToken, json })).status).toBe(400);
    }
    expect(world.events(before)).toEqual([]);
  });
});

test("from, to and as are texts in every event", () => {
  for (const { details } of world.events()) {
    for (const value of [details.from, details.to, details.as]) {
      expect(value === undefined || typeof value === "string").toBe(true);
    }
  }
});
