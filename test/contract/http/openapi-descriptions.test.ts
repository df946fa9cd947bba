import { expect, test } from "bun:test";
import { fieldDescriptions, plainName } from "../../../src/http/openapi/fields/index.ts";
import { renderApiDocument } from "../../../src/http/openapi/index.ts";
import { apiTags } from "../../../src/modules/index.ts";
import type { Json } from "../../support/json.ts";

/** Names of fields and parameters that nothing describes yet; this list only ever shrinks. */
const undescribed = [
  "abs_path",
  "access_levels",
  "acknowledged",
  "action",
  "activity_filter",
  "add",
  "additional_purchased_storage_ends_on",
  "additional_purchased_storage_size",
  "alias",
  "all",
  "allow_git_fetch",
  "approvals_before_merge",
  "artifact_format",
  "artifact_type",
  "as",
  "build_timeout",
  "bytes",
  "cache",
  "can_create_merge_request_in",
  "can_push",
  "change",
  "code",
  "colNo",
  "command",
  "commands_changes",
  "compliance_frameworks",
  "context",
  "credentials",
  "date_received",
  "default",
  "dependencies",
  "depth",
  "details_path",
  "developers_can_merge",
  "developers_can_push",
  "disk",
  "disk_path",
  "docker",
  "enabled",
  "enabled_git_access_protocol",
  "entrypoint",
  "error_id",
  "event",
  "exclude",
  "executor_opts",
  "expire_in",
  "expiry_from",
  "expiry_to",
  "extended_trailers",
  "externalK8sProxyUrl",
  "externalUrl",
  "failure_reasons",
  "fallback_keys",
  "favicon",
  "features",
  "file_store",
  "first_release_version",
  "folder",
  "from",
  "function",
  "git_info",
  "groups",
  "has_details",
  "icon",
  "ignored",
  "illustration",
  "image",
  "import_error",
  "import_status",
  "import_type",
  "import_url",
  "incident_markdown",
  "info",
  "issues_template",
  "job_info",
  "journal",
  "kas",
  "key",
  "kubernetes",
  "label",
  "last_release_version",
  "license",
  "lineNo",
  "lock_math_rendering_limits_enabled",
  "logger",
  "login_recaptcha_protection_enabled",
  "masked",
  "math_rendering_limits_enabled",
  "max_artifacts_size",
  "max_seats_used_changed_at",
  "member_id",
  "merge_requests",
  "merge_requests_template",
  "method",
  "mirror",
  "mirror_trigger_builds",
  "open",
  "paths",
  "policy",
  "ports",
  "project_access_level",
  "project_full_path",
  "project_name",
  "project_path",
  "projects",
  "public",
  "pull_policy",
  "queued_at",
  "raw",
  "ref_type",
  "reference",
  "refspecs",
  "release",
  "remove",
  "repo_object_format",
  "repo_url",
  "requirements_enabled",
  "resolved",
  "runner_id",
  "runner_info",
  "runner_session_url",
  "runner_token_expiration_interval",
  "script",
  "search",
  "security_and_compliance_enabled",
  "sentry_external_url",
  "services",
  "source_project_id",
  "stack_trace_entries",
  "steps",
  "success",
  "tags",
  "target",
  "text",
  "time_in_queue_seconds",
  "timeout",
  "timestamps",
  "to",
  "token_mask_prefixes",
  "tooltip",
  "trace_sections",
  "tracker_external_url",
  "transactions_on_disk",
  "triggered",
  "untracked",
  "value",
  "versions",
  "when",
  "y_label",
];

const document: Json = JSON.parse(await renderApiDocument(apiTags));

/** Every field of a schema and every parameter below a part of the document. */
function* membersBelow(value: unknown): Generator<{ readonly name: string; readonly member: Json }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const { properties, name, in: place } = value as Json;
    if (typeof properties === "object" && [(value as Json).type].flat().includes("object")) {
      for (const [field, member] of Object.entries<Json>(properties)) yield { name: field, member };
    }
    if (typeof place === "string" && typeof name === "string") yield { name, member: value as Json };
  }
  for (const each of Object.values(value)) yield* membersBelow(each);
}

const members = [...membersBelow(document)];

test("each field and parameter has a description, or refers to what it is", () => {
  expect(members.length).toBeGreaterThan(4000);
  const without = members.filter(({ member }) => member.description === undefined && member.$ref === undefined);
  expect([...new Set(without.map(({ name }) => plainName(name)))].sort()).toEqual(undescribed);
});

test("each description by name is of a name that there is", () => {
  const names = new Set(members.map(({ name }) => plainName(name)));
  expect([...fieldDescriptions.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test("a description in a schema wins over that of the name", () => {
  const { id } = document.components.schemas.JobPayload.properties;
  expect(id.description).toBe(fieldDescriptions.get("id") ?? "");
  expect(document.components.schemas.JobPayload.properties.token.description).toBe("token of the job");
});

test("what is below `_links` is an address, whatever its name", () => {
  const { labels } = document.components.schemas.Project.properties._links.properties;
  expect(labels.description).toBe("Address in the API");
});
