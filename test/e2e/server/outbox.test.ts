import { expect, test } from "bun:test";
import { join } from "node:path";
import { silentLog } from "../../../src/lib/log.ts";
import { deliveries } from "../../../src/modules/core/deliveries/records.ts";
import { enqueueMail } from "../../../src/modules/core/outbox/index.ts";
import { createServerContext } from "../../../src/server/bootstrap.ts";
import { configFor, rootToken } from "../../support/fixtures/config.ts";
import { until } from "../../support/process/fault-client.ts";
import { startOutpost } from "../../support/process/outpost-process.ts";
import { startSmtpServer } from "../../support/process/smtp-server.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("the executable sends the waiting mails of its store", async () => {
  await using folder = await createTempFolder();
  await using smtp = await startSmtpServer();
  const smtpUrl = `smtp://postman:secret@127.0.0.1:${smtp.port}`;
  const dataFolder = join(folder.path, "data");
  const open = async () => (await createServerContext(configFor(dataFolder, { smtpUrl }), silentLog)).context;
  const before = await open();
  const mail = { to: "ann@people.example", subject: "Hello", text: "Hello, Ann", event: "new_issue" };
  before.store.transact((tx) => enqueueMail(tx, before, mail));
  await before.store.close();
  {
    await using outpost = await startOutpost({ dataFolder, env: { OUTPOST_SMTP_URL: smtpUrl } });
    await until("the mail has come", () => smtp.received.length === 1);
    const ended = await outpost.stop();
    expect(ended).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("secret") });
  }
  const after = await open();
  expect(after.store.of(deliveries).size).toBe(0);
  await after.store.close();
});

test("a mail of a request that was answered comes, although the process is killed before it is sent", async () => {
  await using folder = await createTempFolder();
  await using smtp = await startSmtpServer({ CONNECT: "421 closed" });
  const env = { OUTPOST_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, OUTPOST_ROOT_TOKEN: rootToken };
  const dataFolder = join(folder.path, "data");
  {
    await using outpost = await startOutpost({ dataFolder, env });
    const user = { email: "ann@people.example", name: "Ann", username: "ann", reset_password: true };
    const { status } = await fetch(`${outpost.origin}/api/v4/users`, {
      method: "POST",
      headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
      body: JSON.stringify(user),
    });
    expect(status).toBe(201);
    await outpost.kill();
  }
  expect(smtp.received).toEqual([]);
  smtp.mood = {};
  await using outpost = await startOutpost({ dataFolder, env });
  const { origin } = outpost;
  const resend = () =>
    fetch(`${origin}/-/outbox/1/resend`, { method: "POST", headers: { "PRIVATE-TOKEN": rootToken } });
  // The first attempt failed: its next one is a minute away.
  expect((await resend()).status).toBe(200);
  await until("the mail has come", () => smtp.received.length === 1);
  expect(smtp.received[0]?.to).toBe("ann@people.example");
});
