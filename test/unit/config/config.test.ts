import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { type ConfigSources, resolveClient, resolveConfig } from "../../../src/config/config.ts";
import { explainConfig } from "../../../src/config/effective-settings.ts";
import { variableOf } from "../../../src/config/setting.ts";
import { allSettings, settings } from "../../../src/config/settings.ts";
import { exitCodes, StartError } from "../../../src/domain/start-error.ts";

function resolveWith(sources: Partial<ConfigSources>) {
  return resolveConfig({ command: "serve", flags: {}, environment: {}, terminal: false, ...sources });
}

function failureOf(sources: Partial<ConfigSources>): StartError {
  try {
    resolveWith(sources);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

describe("where a value comes from", () => {
  test("without settings the defaults apply", () => {
    expect(resolveWith({})).toEqual({
      host: "127.0.0.1",
      port: 8080,
      socket: undefined,
      tlsCert: undefined,
      tlsKey: undefined,
      tlsSelfSigned: false,
      dataFolder: resolve("./data"),
      externalUrl: undefined,
      trustedProxies: undefined,
      metricsAccess: "local",
      console: true,
      sandbox: false,
      memory: false,
      rngSeed: undefined,
      fixture: undefined,
      record: undefined,
      outgoing: "send",
      edition: "ultimate",
      repositoryStorages: [{ name: "default", folder: undefined }],
      storageMoveDelayMs: 0,
      logFormat: "json",
      logLevel: "info",
      smtpUrl: undefined,
      spamKeywords: undefined,
      akismetUrl: "https://rest.akismet.com",
      recaptchaSiteKey: undefined,
      recaptchaPrivateKey: undefined,
      recaptchaVerifyUrl: "https://www.google.com/recaptcha/api/siteverify",
      featureDefinitions: undefined,
      rootToken: undefined,
      rootPassword: undefined,
      alertRateLimit: 0,
      alertRatePeriod: 3600,
      projectQuotaMb: 0,
      totalQuotaMb: 0,
      minFreeSpace: 5,
      networkConnections: 0,
      minFreeMemory: 5,
      gitMaxObjects: 10_000_000,
      gitMaxObjectMb: 2_048,
      userWriteQuotaMb: 256,
      demoRunner: false,
      backupSchedule: undefined,
      backupFolder: resolve("./data/backups"),
      backupKeep: 7,
      origins: {},
    });
  });

  test("a variable beats the default", () => {
    expect(resolveWith({ environment: { OUTPOST_PORT: "9000" } }).port).toBe(9000);
  });

  test("a flag beats the variable", () => {
    expect(resolveWith({ flags: { port: "1" }, environment: { OUTPOST_PORT: "9000" } }).port).toBe(1);
  });

  test("a flag hides a bad variable", () => {
    expect(resolveWith({ flags: { port: "1" }, environment: { OUTPOST_PORT: "many" } }).port).toBe(1);
  });

  test("an empty variable counts as unset, a known and an unknown one", () => {
    expect(resolveWith({ environment: { OUTPOST_PORT: "", OUTPOST_NOTHING: "" } }).port).toBe(8080);
  });

  test("a command's own default yields to the variable", () => {
    const defaults = { data: "./data/demo" };
    expect(resolveWith({ defaults }).dataFolder).toBe(resolve("./data/demo"));
    expect(resolveWith({ defaults, environment: { OUTPOST_DATA: "/srv/x" } }).dataFolder).toBe("/srv/x");
  });

  test("the log is text for a person and JSON for a program, unless said otherwise", () => {
    expect(resolveWith({ terminal: true }).logFormat).toBe("text");
    expect(resolveWith({ terminal: false }).logFormat).toBe("json");
    expect(resolveWith({ terminal: true, flags: { "log-format": "json" } }).logFormat).toBe("json");
  });
});

describe("the server that a client calls", () => {
  const clientOf = (environment: Record<string, string>) =>
    resolveClient({ command: "api", flags: {}, environment, terminal: false });

  test("is the one that the same settings would start, unless an address is given", () => {
    expect(clientOf({})).toEqual({
      url: "http://127.0.0.1:8080",
      urlFrom: "default",
      token: undefined,
      cacert: undefined,
    });
    expect(clientOf({ OUTPOST_HOST: "0.0.0.0", OUTPOST_PORT: "81" }).url).toBe("http://127.0.0.1:81");
    expect(clientOf({ OUTPOST_HOST: "::" }).url).toBe("http://[::1]:8080");
    expect(clientOf({ OUTPOST_HOST: "git.example" }).url).toBe("http://git.example:8080");
    expect(clientOf({ OUTPOST_URL: "https://git.example/outpost/" }).url).toBe("https://git.example/outpost");
    expect(clientOf({ OUTPOST_PORT: "0" }).url).toBeUndefined();
  });

  test.each([
    [{}, "default"],
    [{ OUTPOST_DATA: "/srv", OUTPOST_TOKEN: "x" }, "default"],
    [{ OUTPOST_PORT: "8080" }, "server"],
    [{ OUTPOST_SOCKET: "/run/o.sock" }, "server"],
    [{ OUTPOST_PORT: "81", OUTPOST_URL: "http://127.0.0.1:82" }, "url"],
  ] as const)("by %j has an address because of: %s", (environment, from) => {
    expect(clientOf(environment).urlFrom).toBe(from);
  });

  test("gets the token of the variable", () => {
    expect(clientOf({ OUTPOST_TOKEN: "x" }).token).toBe("x");
  });
});

test("every setting is explained once, with its origin", () => {
  const flags = { port: "1" };
  const explained = explainConfig({ command: "config", flags, environment: { OUTPOST_TOKEN: "x" }, terminal: false });
  expect(explained.map(({ setting }) => setting)).toEqual([...allSettings]);
  const origins = Object.fromEntries(explained.map(({ setting, from }) => [setting.flag, from]));
  expect(origins).toMatchObject({ port: "flag", token: "variable", host: "default", "root-token": "default" });
});

describe("valid values", () => {
  test.each([
    ["host", "localhost", { host: "localhost" }],
    ["host", "[::1]", { host: "::1" }],
    ["port", "0", { port: 0 }],
    ["port", "65535", { port: 65_535 }],
    ["external-url", "https://git.example/", { externalUrl: "https://git.example" }],
    ["external-url", "http://git.example:81/outpost//", { externalUrl: "http://git.example:81/outpost" }],
    ["edition", "community", { edition: "community" }],
    ["log-level", "silent", { logLevel: "silent" }],
    ["backup-schedule", " 30  3 * * 1-5 ", { backupSchedule: "30 3 * * 1-5" }],
    ["backup-keep", "1", { backupKeep: 1 }],
    ["smtp-url", "smtp://mail.example", { smtpUrl: "smtp://mail.example" }],
    ["smtp-url", "smtps://a%40b:p%3Aw@[::1]:465/", { smtpUrl: "smtps://a%40b:p%3Aw@[::1]:465/" }],
    ["spam-keywords", " Cheap Pills,,casino ", { spamKeywords: ["cheap pills", "casino"] }],
    ["akismet-url", "http://127.0.0.1:81/", { akismetUrl: "http://127.0.0.1:81" }],
    ["recaptcha-site-key", "6Lxx-site", { recaptchaSiteKey: "6Lxx-site" }],
    ["root-token", "01234567890123456789", { rootToken: "01234567890123456789" }],
    ["root-password", "pässwörd", { rootPassword: "pässwörd" }],
  ])("--%s %s", (flag, text, expected) => {
    expect(resolveWith({ flags: { [flag]: text } })).toMatchObject(expected);
  });
});

describe("invalid values", () => {
  test.each([
    ["host", ""],
    ["host", "two words"],
    ["backup-schedule", "often"],
    ["backup-schedule", "0 30 3 * * *"],
    ["backup-schedule", "61 3 * * *"],
    ["backup-schedule", "0 0 31 2 *"],
    ["backup-keep", "0"],
    ["port", "65536"],
    ["port", "-1"],
    ["port", "80.0"],
    ["port", "0x50"],
    ["port", " 80"],
    ["data", ""],
    ["external-url", "git.example"],
    ["external-url", "ftp://git.example"],
    ["external-url", "https://user:secret@git.example"],
    ["external-url", "https://git.example/?a=b"],
    ["edition", "Ultimate"],
    ["log-format", "xml"],
    ["log-level", "verbose"],
    ["akismet-url", "akismet.example"],
    ["recaptcha-private-key", "two words"],
    ["smtp-url", "mail.example:25"],
    ["smtp-url", "http://mail.example"],
    ["smtp-url", "smtp://"],
    ["smtp-url", "smtp://mail.example/?pool=true"],
    ["smtp-url", "smtp://mail.example/inbox"],
    ["smtp-url", "smtp://user:100%@mail.example"],
    ["root-token", "0123456789012345678"],
    ["root-token", "a token with spaces in it"],
    ["root-password", "seven77"],
    ["root-password", "x".repeat(129)],
  ])("--%s %p", (flag, text) => {
    expect(failureOf({ flags: { [flag]: text } }).exitCode).toBe(exitCodes.usage);
  });

  test("the error names the variable, its value and the expected form, and its hint is a command", () => {
    const refusal = failureOf({ command: "demo", environment: { OUTPOST_PORT: "eighty" } });
    expect(refusal.message).toBe('OUTPOST_PORT is "eighty"; expected a number from 0 to 65535');
    expect(refusal.hintFor("serve")).toBe("OUTPOST_PORT=8080 outpost demo");
  });

  test("the error names the flag when the value came from it", () => {
    const refusal = failureOf({ flags: { edition: "gold" } });
    expect(refusal.message).toBe('--edition is "gold"; expected one of community, premium, ultimate');
    expect(refusal.hintFor("serve")).toBe("outpost serve --edition ultimate");
  });

  test("a secret is not repeated in the error about it", () => {
    const refusal = failureOf({ environment: { OUTPOST_ROOT_TOKEN: "hush-hush" } });
    expect(refusal.message).toStartWith("OUTPOST_ROOT_TOKEN is a text of 9 characters");
    expect(refusal.message + refusal.hintFor("serve")).not.toContain("hush-hush");
  });

  test("an unknown variable is refused, with the nearest name", () => {
    const refusal = failureOf({ environment: { OUTPOST_LOGLEVEL: "debug" } });
    expect(refusal.message).toBe("OUTPOST_LOGLEVEL is not a setting; the nearest is OUTPOST_LOG_LEVEL");
    expect(refusal.hintFor("serve")).toBe("outpost help serve");
    expect(refusal.exitCode).toBe(exitCodes.usage);
  });
});

describe("the table", () => {
  test("a flag and its variable have the same words", () => {
    expect(variableOf(settings.externalUrl)).toBe("OUTPOST_EXTERNAL_URL");
  });

  test("no two settings share a flag or a short form", () => {
    const names = allSettings.flatMap(({ flag, short }) => (short === undefined ? [flag] : [flag, short]));
    expect(new Set(names).size).toBe(names.length);
  });

  test("every default and every example that is no command fits its setting", () => {
    expect(() => resolveWith({})).not.toThrow();
    for (const { flag, example, parse, secret } of allSettings) {
      if (!secret) expect([flag, parse(example)]).not.toEqual([flag, undefined]);
    }
  });
});

test("a variable that the contract announces prevents no start", () => {
  const sources = { command: "serve", flags: {}, terminal: false };
  expect(() => resolveConfig({ ...sources, environment: { OUTPOST_SPAM_KEYWORDS: "casino" } })).not.toThrow();
});

describe("storages of repositories", () => {
  const storagesFrom = (text: string) =>
    resolveWith({ environment: { OUTPOST_REPOSITORY_STORAGES: text } }).repositoryStorages;

  test("are names, with or without a folder of their own", () => {
    expect(storagesFrom("default, second=/mnt/second,third=here")).toEqual([
      { name: "default", folder: undefined },
      { name: "second", folder: "/mnt/second" },
      { name: "third", folder: resolve("here") },
    ]);
  });

  test.each(["default,default", "default,", "a b", "=x", "default=", "../x", "-x", ","])("are not %p", (text) => {
    expect(() => storagesFrom(text)).toThrow("expected names");
  });

  test("are shown as they were written", () => {
    const environment = { OUTPOST_REPOSITORY_STORAGES: "default,second=/mnt/second" };
    const shown = explainConfig({ command: "config", flags: {}, terminal: false, environment });
    expect(shown.find(({ setting }) => setting.flag === "repository-storages")).toMatchObject({
      value: "default,second=/mnt/second",
      from: "variable",
    });
  });

  test("the delay of moves is a number of milliseconds", () => {
    const delayFrom = (text: string) => resolveWith({ environment: { OUTPOST_STORAGE_MOVE_DELAY_MS: text } });
    expect(delayFrom("1500").storageMoveDelayMs).toBe(1500);
    for (const text of ["-1", "1.5", "86400001", "soon"]) expect(() => delayFrom(text)).toThrow("whole number");
  });
});
