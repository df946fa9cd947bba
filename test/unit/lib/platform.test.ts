import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { libcOf, posix } from "../../../src/lib/platform/posix.ts";
import { invalidHandle, type Kernel32, windows } from "../../../src/lib/platform/windows.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const contentMax = 1n << 40n;

/** The part of Windows that locks files: a lock is on one byte of a path, and goes with its handle. */
class FakeKernel implements Kernel32 {
  readonly open = new Map<bigint, string>();
  readonly locked = new Map<string, bigint>();
  readonly offsets: bigint[] = [];
  isBroken = false;
  #next = 4n;

  CreateFileW(path: Uint8Array): bigint {
    if (this.isBroken) return invalidHandle;
    this.#next += 4n;
    this.open.set(this.#next, Buffer.from(path).toString("utf16le"));
    return this.#next;
  }

  LockFileEx(handle: bigint, flags: number, _reserved: number, low: number, high: number, overlapped: Uint8Array) {
    expect({ flags, low, high, length: overlapped.length }).toEqual({ flags: 3, low: 1, high: 0, length: 32 });
    this.offsets.push(Buffer.from(overlapped).readBigUInt64LE(16));
    const path = this.open.get(handle) ?? "";
    if (this.locked.has(path)) return 0;
    this.locked.set(path, handle);
    return 1;
  }

  CloseHandle(handle: bigint): number {
    const path = this.open.get(handle) ?? "";
    if (this.locked.get(path) === handle) this.locked.delete(path);
    return this.open.delete(handle) ? 1 : 0;
  }
}

const systems = [
  { name: "the system that runs this test", platform: posix(process.platform) },
  { name: "Windows, with another kernel in its place", platform: windows(() => kernel) },
];
const kernel = new FakeKernel();

for (const { name, platform } of systems) {
  test(`a file is locked once until its lock is released, and stays readable and writable: ${name}`, async () => {
    await using folder = await createTempFolder();
    const path = `${folder.path}/lock`;
    const first = platform.lockFile(path);
    expect(first).toBeDefined();
    expect(platform.lockFile(path)).toBeUndefined();
    writeFileSync(path, "process 1 on here\n");
    expect(readFileSync(path, "utf8")).toBe("process 1 on here\n");
    first?.release();
    const second = platform.lockFile(path);
    expect(second).toBeDefined();
    expect(readFileSync(path, "utf8")).toBe("process 1 on here\n");
    second?.release();
    expect(() => platform.lockFile(`${folder.path}/absent/lock`)).toThrow("ENOENT");
  });
}

test("on Windows a lock leaves no handle behind, names the whole path, and is on no byte of the content", async () => {
  await using folder = await createTempFolder();
  const own = new FakeKernel();
  const { lockFile } = windows(() => own);
  const held = lockFile(`${folder.path}/lock`);
  expect([...own.open.values()]).toEqual([`${resolve(folder.path, "lock")}\0`]);
  expect(lockFile(`${folder.path}/lock`)).toBeUndefined();
  expect(own.open.size).toBe(1);
  held?.release();
  expect(own.open.size).toBe(0);
  expect(own.offsets.every((offset) => offset > contentMax)).toBe(true);
  own.isBroken = true;
  expect(() => lockFile(`${folder.path}/lock`)).toThrow("lock cannot be opened to lock it");
});

test("Windows syncs no folders, opens files for writing to sync them, and has no files that never change", () => {
  const { syncsFolders, syncFlag, finalFileMode, stopSignals, hasSocketFiles, hasSystemd } = windows(() => kernel);
  expect({ syncsFolders, syncFlag, finalFileMode }).toEqual({
    syncsFolders: false,
    syncFlag: "r+",
    finalFileMode: 0o600,
  });
  expect(stopSignals).not.toContain("SIGTERM");
  expect({ hasSocketFiles, hasSystemd }).toEqual({ hasSocketFiles: false, hasSystemd: false });
});

test("macOS differs from Linux in the file of its C library, and has no systemd", () => {
  expect([libcOf("linux"), libcOf("darwin")]).toEqual(["libc.so.6", "libSystem.B.dylib"]);
  expect([posix("linux").hasSystemd, posix("darwin").hasSystemd]).toEqual([true, false]);
});

test("no other code asks which system it runs on", async () => {
  const source = resolve(import.meta.dir, "../../../src");
  const files = [...new Bun.Glob("**/*.ts").scanSync({ cwd: source })];
  const asking = files.filter((file) => readFileSync(`${source}/${file}`, "utf8").includes("process.platform"));
  expect(asking).toEqual(["lib/platform/index.ts"]);
});
