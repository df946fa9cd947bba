import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { executable, runOutpost } from "../../support/process/outpost-process.ts";
import { runOnTerminal } from "../../support/process/terminal.ts";

const secrets = { OUTPOST_ROOT_TOKEN: "a-token-for-tests-0123456789", OUTPOST_TOKEN: "another-secret" };

test("every setting is a line of aligned words, with the source of its value", async () => {
  const { exitCode, stdout, stderr } = await runOutpost(["config", "--port", "9000", "--data", "/srv/x"], {
    env: { ...secrets, OUTPOST_EDITION: "premium" },
  });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatchInlineSnapshot(`
    "data                   /srv/x                                           flag      OUTPOST_DATA
    host                   127.0.0.1                                        default   OUTPOST_HOST
    port                   9000                                             flag      OUTPOST_PORT
    external-url           (not set)                                        default   OUTPOST_EXTERNAL_URL
    edition                premium                                          variable  OUTPOST_EDITION
    console                true                                             default   OUTPOST_CONSOLE
    root-token             [hidden]                                         variable  OUTPOST_ROOT_TOKEN
    root-password          (not set)                                        default   OUTPOST_ROOT_PASSWORD
    log-level              info                                             default   OUTPOST_LOG_LEVEL
    log-format             json                                             default   OUTPOST_LOG_FORMAT
    socket                 (not set)                                        default   OUTPOST_SOCKET
    tls-cert               (not set)                                        default   OUTPOST_TLS_CERT
    tls-key                (not set)                                        default   OUTPOST_TLS_KEY
    tls-self-signed        false                                            default   OUTPOST_TLS_SELF_SIGNED
    trusted-proxies        (not set)                                        default   OUTPOST_TRUSTED_PROXIES
    metrics-access         local                                            default   OUTPOST_METRICS_ACCESS
    repository-storages    default                                          default   OUTPOST_REPOSITORY_STORAGES
    storage-move-delay-ms  0                                                default   OUTPOST_STORAGE_MOVE_DELAY_MS
    backup-schedule        (not set)                                        default   OUTPOST_BACKUP_SCHEDULE
    backup-folder          /srv/x/backups                                   default   OUTPOST_BACKUP_FOLDER
    backup-keep            7                                                default   OUTPOST_BACKUP_KEEP
    network-connections    0                                                default   OUTPOST_NETWORK_CONNECTIONS
    project-quota-mb       0                                                default   OUTPOST_PROJECT_QUOTA_MB
    total-quota-mb         0                                                default   OUTPOST_TOTAL_QUOTA_MB
    user-write-quota-mb    256                                              default   OUTPOST_USER_WRITE_QUOTA_MB
    git-max-objects        10000000                                         default   OUTPOST_GIT_MAX_OBJECTS
    git-max-object-mb      2048                                             default   OUTPOST_GIT_MAX_OBJECT_MB
    min-free-memory        5                                                default   OUTPOST_MIN_FREE_MEMORY
    min-free-space         5                                                default   OUTPOST_MIN_FREE_SPACE
    alert-rate-limit       0                                                default   OUTPOST_ALERT_RATE_LIMIT
    alert-rate-period      3600                                             default   OUTPOST_ALERT_RATE_PERIOD
    smtp-url               (not set)                                        default   OUTPOST_SMTP_URL
    spam-keywords          (not set)                                        default   OUTPOST_SPAM_KEYWORDS
    akismet-url            https://rest.akismet.com                         default   OUTPOST_AKISMET_URL
    recaptcha-site-key     (not set)                                        default   OUTPOST_RECAPTCHA_SITE_KEY
    recaptcha-private-key  (not set)                                        default   OUTPOST_RECAPTCHA_PRIVATE_KEY
    recaptcha-verify-url   https://www.google.com/recaptcha/api/siteverify  default   OUTPOST_RECAPTCHA_VERIFY_URL
    sandbox                false                                            default   OUTPOST_SANDBOX
    memory                 false                                            default   OUTPOST_MEMORY
    rng-seed               (not set)                                        default   OUTPOST_RNG_SEED
    fixture                (not set)                                        default   OUTPOST_FIXTURE
    record                 (not set)                                        default   OUTPOST_RECORD
    outgoing               send                                             default   OUTPOST_OUTGOING
    feature-definitions    (not set)                                        default   OUTPOST_FEATURE_DEFINITIONS
    demo-runner            false                                            default   OUTPOST_DEMO_RUNNER
    url                    http://127.0.0.1:9000                            default   OUTPOST_URL
    token                  [hidden]                                         variable  OUTPOST_TOKEN
    cacert                 (not set)                                        default   OUTPOST_CACERT
    "
  `);
});

test("as JSON, by name and with keys that stay", async () => {
  const { exitCode, stdout, stderr } = await runOutpost(["config", "--json"], { env: secrets });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).not.toContain("secret");
  const shown = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(shown)).toEqual([
    ...[
      "data",
      "host",
      "port",
      "external_url",
      "edition",
      "console",
      "root_token",
      "root_password",
      "log_level",
      "log_format",
    ],
    ...["socket", "tls_cert", "tls_key", "tls_self_signed", "trusted_proxies", "metrics_access"],
    ...["repository_storages", "storage_move_delay_ms", "backup_schedule", "backup_folder", "backup_keep"],
    ...[
      "network_connections",
      "project_quota_mb",
      "total_quota_mb",
      "user_write_quota_mb",
      "git_max_objects",
      "git_max_object_mb",
      "min_free_memory",
      "min_free_space",
      "alert_rate_limit",
      "alert_rate_period",
    ],
    ...[
      "smtp_url",
      "spam_keywords",
      "akismet_url",
      "recaptcha_site_key",
      "recaptcha_private_key",
      "recaptcha_verify_url",
      "sandbox",
      "memory",
      "rng_seed",
      "fixture",
      "record",
      "outgoing",
    ],
    ...["feature_definitions", "demo_runner", "url", "token", "cacert"],
  ]);
  expect(shown).toMatchObject({
    port: { value: 8080, from: "default", flag: "--port", variable: "OUTPOST_PORT" },
    data: { value: resolve("data"), from: "default" },
    external_url: { value: null, from: "default" },
    token: { value: "[hidden]", from: "variable" },
  });
});

test("a table with a head on a terminal, bold unless NO_COLOR says otherwise", async () => {
  const head = /^setting +value +from +variable *$/;
  const [bold = ""] = (await runOnTerminal(["config"])).split("\n");
  expect(bold).toStartWith("\x1b[1m");
  expect(bold.slice("\x1b[1m".length, -"\x1b[0m".length)).toMatch(head);
  const [plain = "", rule] = (await runOnTerminal(["config"], { NO_COLOR: "1" })).split("\n");
  expect(plain).toMatch(head);
  expect(rule).toMatch(/^─+$/);
});

test("an invalid value is refused as at a start", async () => {
  const { exitCode, stdout, stderr } = await runOutpost(["config"], { env: { OUTPOST_PORT: "http" } });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(
    'outpost: OUTPOST_PORT is "http"; expected a number from 0 to 65535\ntry: OUTPOST_PORT=8080 outpost config\n',
  );
});

test("an invalid value of a secret is not shown", async () => {
  const { exitCode, stderr } = await runOutpost(["config", "--token", "two words"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--token is a text of 9 characters");
});

test("a reader that stops early is no failure", async () => {
  const { exitCode, stderr } = await Bun.$`${executable} config --json | head -c 1`.nothrow().quiet();
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});
