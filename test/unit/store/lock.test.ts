import { expect, test } from "bun:test";
import { closeSync, fstatSync, openSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { StartError } from "../../../src/domain/start-error.ts";
import { addressOfHolder, lockFolder, noteAddress } from "../../../src/store/opening/lock.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const lockModule = join(import.meta.dir, "../../../src/store/opening/lock.ts");

/** Another process that locks the folder and then waits to be killed. */
async function holderOf(folder: string) {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(lockModule)});
    lockFolder(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => undefined, 1_000);
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("locked\n");
  return child;
}

function refusal(folder: string): StartError {
  try {
    lockFolder(folder).release();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("the lock was given twice");
}

test("a folder that another process holds is refused, and the process is named", async () => {
  await using folder = await createTempFolder();
  const holder = await holderOf(folder.path);
  try {
    expect(refusal(folder.path).message).toBe(
      `data folder ${folder.path} is locked by process ${holder.pid} on ${hostname()}`,
    );
  } finally {
    holder.kill("SIGKILL");
    await holder.exited;
  }
});

test("a refused process gets the address of the holder, until that ends", async () => {
  await using folder = await createTempFolder();
  const origin = "unix:/run/a folder/outpost.sock";
  const holder = await holderOf(folder.path);
  noteAddress(folder.path, origin);
  const refused = refusal(folder.path);
  expect(refused).toMatchObject({
    address: origin,
    message: expect.stringMatching(
      / is locked by process \d+ on \S+, which serves unix:\/run\/a folder\/outpost\.sock$/,
    ),
  });
  expect(refused.hintFor("check")).toStartWith(`kill ${holder.pid}, `);
  expect(addressOfHolder(folder.path)).toBe(origin);
  holder.kill("SIGKILL");
  await holder.exited;
  expect(addressOfHolder(folder.path)).toBeUndefined();
  const lock = lockFolder(folder.path);
  expect([refusal(folder.path), addressOfHolder(folder.path)]).toMatchObject([{ address: undefined }, undefined]);
  lock.release();
  expect(addressOfHolder(join(folder.path, "nothing"))).toBeUndefined();
});

test("the lock of a killed process blocks no other", async () => {
  await using folder = await createTempFolder();
  const holder = await holderOf(folder.path);
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = lockFolder(folder.path);
  // The new holder is named from now on.
  expect(refusal(folder.path).message).toContain(`process ${process.pid} on`);
  lock.release();
  lockFolder(folder.path).release();
});

test("a second release of a lock leaves alone what was opened after the first", async () => {
  await using folder = await createTempFolder();
  const lock = lockFolder(folder.path);
  lock.release();
  // The system gives the number of the closed file to the next one.
  const file = openSync(join(folder.path, "another"), "w");
  lock.release();
  expect(fstatSync(file).isFile()).toBe(true);
  closeSync(file);
});
