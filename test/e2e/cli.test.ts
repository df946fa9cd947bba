import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { runOutpost } from "../support/outpost-process.ts";

/** Two lines on stderr, nothing on stdout, and the exit code of wrong use. */
async function refusal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runOutpost(args, { env });
  expect(stdout).toBe("");
  expect(exitCode).toBe(2);
  return stderr.trimEnd().split("\n");
}

describe("help", () => {
  test("without arguments, the first screen fits 24 lines of 80 columns", async () => {
    const { exitCode, stdout, stderr } = await runOutpost([]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: outpost <verb> [flags]

      The REST API, version 4, of a collaboration platform in one executable.

      Verbs:
        Serving   serve, demo
        Store     backup, restore, check
        People    user, token, audit-events
        Calls     api, openapi
        Machine   config, install-service, containerfile, dashboard, completion
        Itself    version, help

      Examples:
        outpost serve                       on port 8080, with the store in ./data
        outpost serve --port 0 --data /srv  on any free port, with another store
        outpost demo                        with people and tokens to try at once

      Every flag is also a variable: --log-level is OUTPOST_LOG_LEVEL. The flag wins.
      Every verb in a line: outpost help verbs. What one takes: outpost help <verb>.
      "
    `);
  });

  test.each([["help"], ["--help"], ["-h"]])("%s is the same screen", async (word) => {
    expect((await runOutpost([word])).stdout).toBe((await runOutpost([])).stdout);
  });

  test("of verbs is a line for each", async () => {
    const { exitCode, stdout } = await runOutpost(["help", "verbs"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Serving:\n {2}serve +answer requests/);
    expect(stdout).toMatch(/^ {2}help +print what there is/m);
  });

  test("about a verb that takes words shows them and runs nothing", async () => {
    const { exitCode, stdout } = await runOutpost(["help", "api", "DELETE", "/users/1"]);
    expect([exitCode, stdout]).toEqual([0, (await runOutpost(["api", "--help"])).stdout]);
  });

  test("about a verb below another is the same as --help there", async () => {
    const { exitCode, stdout } = await runOutpost(["help", "token", "create"]);
    expect([exitCode, stdout]).toEqual([0, (await runOutpost(["token", "create", "--help"])).stdout]);
    expect((await runOutpost(["help", "token", "creat"])).stderr).toBe(
      "outpost: unknown command 'creat' (Did you mean create?)\ntry: outpost help token\n",
    );
  });

  test.each([["serve"], ["demo"], ["api"], ["token"], ["check"], ["config"], ["openapi"], ["version"]])(
    "%s has help with its own examples",
    async (verb) => {
      const { exitCode, stdout } = await runOutpost(["help", verb]);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n(.*\\n)*.*outpost ${verb}`));
      expect((await runOutpost([verb, "--help"])).stdout).toBe(stdout);
    },
  );

  test("the help of serve names every flag with its variable", async () => {
    expect((await runOutpost(["help", "serve"])).stdout).toMatchInlineSnapshot(`
      "Usage: outpost serve [flags]

      answer requests until Ctrl-C or SIGTERM

      Flags:
        --host <address>                  address to listen on; 0.0.0.0 for every one
                                          of this machine [OUTPOST_HOST, else
                                          127.0.0.1]
        -p, --port <number>               port to listen on; 0 picks a free one
                                          [OUTPOST_PORT, else 8080]
        --socket <file>                   socket file to listen on, in place of
                                          address and port [OUTPOST_SOCKET]
        --tls-cert <file>                 certificate for HTTPS, PEM, with those
                                          between it and its root; read again when it
                                          changes [OUTPOST_TLS_CERT]
        --tls-key <file>                  its private key, PEM [OUTPOST_TLS_KEY]
        --tls-self-signed                 HTTPS with a certificate of its own making,
                                          for demos [OUTPOST_TLS_SELF_SIGNED, else
                                          false]
        -d, --data <folder>               folder of the store; made when it is not
                                          there [OUTPOST_DATA, else ./data]
        --external-url <url>              base of the addresses in answers, when
                                          clients reach the server by another one
                                          [OUTPOST_EXTERNAL_URL]
        --trusted-proxies <list>          proxies whose X-Forwarded-… headers count:
                                          addresses, ranges as 10.0.0.0/8, unix
                                          [OUTPOST_TRUSTED_PROXIES]
        --edition <name>                  what is offered: community, premium,
                                          ultimate [OUTPOST_EDITION, else ultimate]
        --repository-storages <list>      where git repositories lie: name or
                                          name=folder, with commas; without a folder
                                          inside the data folder
                                          [OUTPOST_REPOSITORY_STORAGES, else default]
        --storage-move-delay-ms <number>  milliseconds that the move of a repository
                                          waits before it starts, and again before it
                                          copies [OUTPOST_STORAGE_MOVE_DELAY_MS, else
                                          0]
        --feature-definitions <folder>    folder with definitions of feature flags of
                                          your own, one in each YAML or JSON file
                                          [OUTPOST_FEATURE_DEFINITIONS]
        --log-format <name>               text or json; without it text on a terminal,
                                          json elsewhere [OUTPOST_LOG_FORMAT]
        --log-level <name>                least that is logged: debug, info, warn,
                                          error, silent [OUTPOST_LOG_LEVEL, else info]
        --smtp-url <url>                  server that sends mails; without it none
                                          leaves the machine; safer by its variable
                                          [OUTPOST_SMTP_URL]
        --spam-keywords <words>           words, by commas, that make a public text
                                          spam [OUTPOST_SPAM_KEYWORDS]
        --akismet-url <url>               service that tells spam once akismet_enabled
                                          is set [OUTPOST_AKISMET_URL, else
                                          https://rest.akismet.com]
        --recaptcha-site-key <text>       with the private key: turns CAPTCHAs on at
                                          each start [OUTPOST_RECAPTCHA_SITE_KEY]
        --recaptcha-private-key <text>    the other key of the CAPTCHA service; safer
                                          by its variable
                                          [OUTPOST_RECAPTCHA_PRIVATE_KEY]
        --recaptcha-verify-url <url>      where solved CAPTCHAs are verified
                                          [OUTPOST_RECAPTCHA_VERIFY_URL, else
                                          https://www.google.com/recaptcha/api/siteverify]
        --root-token <text>               root's access token, first start only; safer
                                          by its variable [OUTPOST_ROOT_TOKEN]
        --root-password <text>            root's password, first start only; safer by
                                          its variable [OUTPOST_ROOT_PASSWORD]
        --alert-rate-limit <number>       requests with alerts that each project takes
                                          in one period; 0 for no limit
                                          [OUTPOST_ALERT_RATE_LIMIT, else 0]
        --alert-rate-period <seconds>     length of the period in which requests with
                                          alerts are counted
                                          [OUTPOST_ALERT_RATE_PERIOD, else 3600]
        --backup-schedule <cron>          when to make backups by itself, as minute
                                          hour day month weekday in UTC; without it
                                          never [OUTPOST_BACKUP_SCHEDULE]
        --backup-folder <folder>          where those backups go, and the one before a
                                          migration; without it \`backups\` in the data
                                          folder [OUTPOST_BACKUP_FOLDER]
        --backup-keep <number>            how many of those backups stay; the oldest
                                          go once a new one is proven
                                          [OUTPOST_BACKUP_KEEP, else 7]
        --restore <file>                  first make the store from an archive; the
                                          folder must be empty
        -h, --help                        print this, or what a verb takes

      Examples:
        outpost serve
        outpost serve --port 0 --data /srv/outpost
        OUTPOST_ROOT_TOKEN=$(openssl rand -hex 20) outpost serve --log-format json
      "
    `);
  });
});

describe("version", () => {
  test.each([["version"], ["--version"], ["-V"]])("%s is one line on stdout", async (word) => {
    const { exitCode, stdout, stderr } = await runOutpost([word]);
    expect([exitCode, stdout, stderr]).toEqual([0, `outpost ${version} (API 17.11.0)\n`, ""]);
  });
});

test("version --json is one object", async () => {
  const { exitCode, stdout } = await runOutpost(["version", "--json"]);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { version, api_version: "17.11.0" }]);
});

describe("wrong use", () => {
  test("an unknown verb suggests the nearest one", async () => {
    expect(await refusal(["sevre"])).toEqual([
      "outpost: unknown command 'sevre' (Did you mean serve?)",
      "try: outpost help",
    ]);
  });

  test("help about an unknown verb is refused too", async () => {
    expect(await refusal(["help", "dmo"])).toEqual([
      "outpost: unknown command 'dmo' (Did you mean demo?)",
      "try: outpost help",
    ]);
  });

  test("an unknown flag suggests the nearest one", async () => {
    expect(await refusal(["serve", "--prot", "0"])).toEqual([
      "outpost: unknown option '--prot' (Did you mean --port?)",
      "try: outpost help serve",
    ]);
  });

  test("a flag without its value is refused", async () => {
    expect(await refusal(["serve", "--port"])).toEqual([
      "outpost: option '-p, --port <number>' argument missing",
      "try: outpost help serve",
    ]);
  });

  test("a word too many is refused", async () => {
    expect(await refusal(["serve", "now"])).toHaveLength(2);
  });

  test("an unknown variable names the nearest one", async () => {
    expect(await refusal(["serve"], { OUTPOST_PROT: "0" })).toEqual([
      "outpost: OUTPOST_PROT is not a setting; the nearest is OUTPOST_PORT",
      "try: outpost help serve",
    ]);
  });

  test("a bad value names its flag, what was found and what is expected", async () => {
    expect(await refusal(["serve", "--port", "http"])).toEqual([
      'outpost: --port is "http"; expected a number from 0 to 65535',
      "try: outpost serve --port 8080",
    ]);
  });

  test("a bad value names its variable", async () => {
    expect(await refusal(["demo"], { OUTPOST_EXTERNAL_URL: "outpost.example" })).toEqual([
      'outpost: OUTPOST_EXTERNAL_URL is "outpost.example"; expected an http or https address without query',
      "try: OUTPOST_EXTERNAL_URL=https://outpost.example outpost demo",
    ]);
  });
});
