import { expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { enqueueJob, failAttempt } from "../../../src/modules/core/background-jobs/index.ts";
import { enqueueDelivery } from "../../../src/modules/core/deliveries/index.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";

const world = await startWorld({
  smtpUrl: "smtp://mailer:secret-of-smtp@127.0.0.1:9",
  port: 0,
  origins: { port: "flag", "smtp-url": "variable" },
});
const ann = await world.user();

test("each setting says where it comes from, and secret values are left out", async () => {
  const { body, text } = await world.get("/-/settings");
  const byName = Object.fromEntries(body.map((each: Json) => [each.name, each]));
  expect(byName.port).toEqual({
    ...{ name: "port", help: expect.any(String), flag: "--port", variable: "OUTPOST_PORT" },
    ...{ value: 0, is_hidden: false, from: "flag" },
  });
  expect(byName["smtp-url"]).toMatchObject({ value: null, is_hidden: true, from: "variable" });
  expect(byName["root-token"]).toMatchObject({ value: null, is_hidden: true, from: "default" });
  expect(byName["external-url"]).toMatchObject({ value: null, is_hidden: false, from: "default" });
  expect(byName.console).toMatchObject({ value: true, flag: "--no-console" });
  expect(byName["repository-storages"].value).toBe("default");
  expect(byName.url).toBeUndefined();
  expect(text).not.toContain("secret-of-smtp");
  expect(text).not.toContain(rootToken);
});

test("what needs attention goes with its cause", async () => {
  const plain = await startWorld();
  const kinds = async () => (await plain.get("/-/attention")).body.map(({ kind }: Json) => kind).sort();
  const others = (await kinds()).filter((kind: string) => kind === "disk_low");
  expect(await kinds()).toEqual([...others, "no_backup"].sort());

  await writeFile(plain.context.credentialsFile, "root");
  const { store, context } = plain;
  store.transact((tx) => {
    const job = enqueueJob(tx, context, { kind: "unheard_of", payload: {}, due_at: "2035-01-01T00:00:00.000Z" });
    failAttempt(tx, context, { ...job, attempts: 10 }, { error: "no", waitMs: 1 });
  });
  store.transact((tx) =>
    enqueueDelivery(tx, plain.context, {
      kind: "mail",
      target: "ann@people.example",
      reference: 1,
      queue: "notification",
    }),
  );
  expect(await kinds()).toEqual([...others, "credentials_file", "failed_jobs", "no_backup", "unsent_mails"].sort());
  const { body } = await plain.get("/-/attention");
  const texts = Object.fromEntries(body.map(({ kind, text, advice }: Json) => [kind, `${text} ${advice}`]));
  expect(texts.failed_jobs).toStartWith("1 background job has failed.");
  expect(texts.unsent_mails).toContain("--smtp-url");
  expect(texts.credentials_file).toContain(plain.context.credentialsFile);

  await rm(plain.context.credentialsFile);
  await plain.call("POST", "/-/backups", { token: rootToken });
  await until("the backup is written", async () => (await plain.get("/-/backups")).body.archives.length === 1);
  // The file has the time of the system, which the clock of tests may be behind.
  expect((await kinds()).filter((kind: string) => kind === "no_backup" || kind === "credentials_file")).toEqual([]);
  plain.clock.advance(Date.now() + 8 * 86_400_000 - plain.clock.now());
  expect(await kinds()).toContain("no_backup");
});

test("other callers see neither", async () => {
  for (const path of ["/-/settings", "/-/attention"]) {
    expect((await world.call("GET", path, { token: ann.token })).status).toBe(403);
    expect((await world.call("GET", path)).status).toBe(401);
  }
});
