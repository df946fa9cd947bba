import { sourceOf, withBaseline } from "../../src/cli/commands/fixture/fixture-export.ts";
import { accessInProcess } from "../../src/cli/store-access.ts";
import { fixtureOf, fixtureText } from "../../src/fixtures/export/index.ts";
import { operations } from "../../src/modules/index.ts";
import { configFor } from "./config.ts";
import { type PictureKind, picture } from "./pictures.ts";
import type { World } from "./world.ts";

/** The example of the contract (sandbox 4), word for word. */
export const contractExample = `users: [{ username: mara, admin: true, token: mara-token-0000000001 }, { username: kofi }]
groups: [{ path: skylark, visibility: private, members: { mara: owner, kofi: developer }, groups: [{ path: apps }] }]
projects:
  [
    {
      path: skylark/apps/station,
      files: { README.md: "# Station", .gitlab-ci.yml: "test: { script: [true] }" },
      labels: [bug],
      issues: [{ title: Too blue, author: kofi, labels: [bug] }],
    },
  ]
`;

/** A picture as a fixture has it. */
export const avatarText = (kind: PictureKind = "png") =>
  `data:image/${kind};base64,${Buffer.from(picture(kind)).toString("base64")}`;

/** A fixture with every section that no other fixture of the tests needs to have. */
export const largeFixture = `
users:
  - username: mara
    name: Mara
    avatar: ${avatarText()}
    admin: true
    token: mara-token-0000000001
    emails: [mara@home.example]
    custom_attributes: { team: blue }
    status: { message: away, emoji: tada }
    preferences: { show_whitespace_in_diffs: false }
    notification_settings: { level: watch }
    personal_access_tokens: [{ name: ci, scopes: [read_api] }]
    impersonation_tokens: [{ name: robot, scopes: [api] }]
  - { username: lena }
  - { username: kofi, follow: [mara], block: true }
runners: [{ description: builder, tag_list: [linux, arm], token: runner-token-0000000001, paused: true }]
application_settings: { signup_enabled: false }
features: { blue_theme: "true" }
snippets: [{ title: Mine, file_name: a.txt, content: a, author: mara }]
groups:
  - path: tools
  - path: skylark
    description: Weather stations
    avatar: ${avatarText()}
    shared_runners_setting: disabled_and_unoverridable
    members: { mara: owner, kofi: { access_level: reporter, expires_at: 2099-01-01 } }
    share: { tools: developer }
    access_requests: [lena]
    labels: [{ name: urgent, color: "#ff0000", subscribe: [mara] }]
    milestones: [{ title: v1, state_event: close, due_date: 2030-01-01 }]
    epics: [{ title: Later, parent: All }, { title: All, author: mara, state_event: close }]
    notification_settings: { level: global, author: mara }
    runners: { description: shared by the group, run_untagged: false, tag_list: [gpu] }
    groups:
      - { path: apps, projects: [{ path: inner, alert_management_alerts: [{ payload: { title: Dark }, incident: true }] }], runners: [{ description: of apps }] }
projects:
  - path: skylark/apps/station
    description: Measures
    avatar: ${avatarText()}
    default_branch: trunk
    topics: [weather, iot]
    files:
      README.md: "# Station"
      bin/run: { content: IyEvYmluL3NoCg==, encoding: base64, execute_filemode: true }
      new.txt: { content: new, branch: dev }
      .gitlab-ci.yml: "test: { script: [true] }"
    branches: [dev, { branch: old, ref: trunk }]
    tags: [v1.0, { tag_name: v1.1, ref: dev, message: The first }]
    labels: { bug: "#aa0000", idea: "#00aa00" }
    milestones: [{ title: Spring, start_date: 2030-03-01 }]
    members: [{ user: kofi, access_level: developer }]
    star: [mara, kofi]
    runners: [{ description: own, locked: true, access_level: ref_protected, maximum_timeout: 1200 }]
    issues:
      - title: Too blue
        author: kofi
        assignees: [mara]
        milestone: Spring
        labels: [bug, urgent]
        due_date: 2030-01-01
        confidential: true
        weight: 3
        epic: All
        created_at: 2029-01-01T00:00:00Z
        state_event: close
        subscribe: [mara]
        time_estimate: 3h
        add_spent_time: [1h, { duration: 30m, author: mara }]
        award_emoji: [{ name: tada, author: mara }, rocket]
        notes: [{ body: Indeed, author: mara, award_emoji: [eyes] }, It is]
      - { title: Group's milestone, milestone: v1, iid: 7 }
    snippets: [{ title: Hello, visibility: internal, files: [{ file_path: a.txt, content: a }], award_emoji: [tada] }]
    triggers: [nightly]
    pipeline: { ref: trunk, variables: [{ key: A, value: b }] }
    job_token_scope: true
    job_token_scope_allowlist: [mara/own]
    job_token_scope_groups_allowlist: [tools]
    error_tracking_settings: { active: true, integrated: true }
    error_tracking_client_keys: [{}]
    alert_management_http_integrations: [Watchtower]
    incident_management_settings: { create_issue: true }
    alert_management_alerts:
      - { payload: { title: Hot, severity: high, hosts: [a, b] }, integration: Watchtower, assignee: kofi, status: acknowledged }
      - payload: { version: "4", groupKey: g, status: firing, receiver: r, externalURL: "", groupLabels: {}, commonLabels: {}, commonAnnotations: {}, alerts: [{ labels: { alertname: Wind }, annotations: {}, startsAt: "2029-01-01T00:00:00Z" }] }
      - '{"title":"Cold"}'
    error_tracking_errors:
      - payload: { platform: node, transaction: run, exception: { values: [{ type: TypeError, value: "1 is no function", stacktrace: { frames: [{ function: f, lineno: 3 }] } }] } }
        status: resolved
      - { payload: { exception: [{ type: RangeError }] } }
    alert_management_on_call_integration: { active: true, api_url: "https://oncall.example/hook" }
    packages: { tool: { 1.0: { tool.txt: text, tool.bin: { content: AAE=, encoding: base64 } } } }
    notification_settings: { level: mention, author: mara }
  - { path: mara/own, archive: true, share: { tools: reporter } }
`;

/** The text that \`outpost fixture export\` writes of a world. */
export async function exportedFrom({ context }: World): Promise<string> {
  const config = configFor("");
  const request = {
    command: "fixture export",
    config,
    client: { url: undefined, urlFrom: "default", token: undefined },
  } as const;
  let text = "";
  await withBaseline(request, async (baseline) => {
    const source = sourceOf(accessInProcess(context, request));
    text = fixtureText(await fixtureOf({ source, baseline, operations, edition: config.edition }));
  });
  return text;
}
