import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../support/process/free-port.ts";
import { executable, runOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

/** Namespaces are not for every machine; a changed root is for every root user. */
const isolation = ["--isolation", "chroot"];
const missing =
  process.getuid?.() === 0 ? await installTool(["buildah", "--version"], "buildah") : "only root may change the root";
if (missing !== undefined) console.log(`image.test.ts is skipped: ${missing}`);

let folder: TempFolder;

/** Runs buildah with a storage of its own. Throws with its messages when it fails. */
async function buildah(...args: readonly string[]): Promise<string> {
  const child = spawn(args);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`buildah ${args[0]} failed: ${stdout}${stderr}`);
  return stdout.trim();
}

function spawn(args: readonly string[]) {
  const storage = ["--root", join(folder.path, "images"), "--runroot", join(folder.path, "run")];
  const command = ["buildah", ...storage, "--storage-driver", "vfs", ...args];
  return Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

/** An image with the commands of this machine's Debian that the Containerfile runs, by the name that it gives. */
async function makeSystemImage(): Promise<void> {
  const tools = ["/bin/sh", "/bin/bash", "/bin/mkdir", "/bin/cp", "/usr/bin/install", "/bin/grep", "/usr/bin/ldd"];
  const root = join(folder.path, "system/root");
  await mkdir(root, { recursive: true });
  for (const tool of [...tools, executable]) {
    const libraries = (await Bun.$`ldd ${tool}`.nothrow().quiet().text()).match(/\/\S+/g) ?? [];
    const files = tool === executable ? libraries : [tool, ...libraries];
    await Bun.$`cp --parents --dereference ${files.filter((file) => !file.includes(":"))} ${root}`.quiet();
  }
  await Bun.$`cp --parents /etc/nsswitch.conf ${root}`.quiet();
  await Bun.write(join(folder.path, "system/Containerfile"), "FROM scratch\nCOPY root /\n");
  await buildah("build", "--tag", "docker.io/library/debian:stable-slim", join(folder.path, "system"));
}

describe.skipIf(missing !== undefined)("the image of `outpost containerfile`, built by buildah", () => {
  beforeAll(async () => {
    folder = await createTempFolder();
    await makeSystemImage();
    const context = join(folder.path, "context");
    await mkdir(context);
    await copyFile(executable, join(context, "outpost"));
    await Bun.write(join(context, "Containerfile"), (await runOutpost(["containerfile"])).stdout);
    await buildah("build", "--pull=never", ...isolation, "--format", "docker", "--tag", "outpost", context);
    await buildah("from", "--pull-never", "--name", "tried", "outpost");
  }, 120_000);
  afterAll(() => folder.remove());

  test("holds the executable and the libraries that it loads, and no shell", async () => {
    const root = await buildah("mount", "tried");
    const files = [...new Bun.Glob("**/*").scanSync({ cwd: root, onlyFiles: true })].sort();
    expect(files.filter((file) => !/(^|\/)(ld-linux[^/]*|lib[a-z]+)\.so\.\d+$/.test(file))).toEqual([
      "etc/nsswitch.conf",
      "usr/local/bin/outpost",
    ]);
    expect(files.some((file) => /\/libc\.so\.6$/.test(file))).toBe(true);
    const { uid, gid, mode } = await stat(join(root, "var/lib/outpost"));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 65532, gid: 65532, mode: 0o700 });
  });

  test("serves as an unprivileged user, keeps its store in the volume, and its health check succeeds", async () => {
    const port = await freePort();
    const run = ["run", ...isolation, "--env", `OUTPOST_PORT=${port}`, "tried", "--", "/usr/local/bin/outpost"];
    await using server = spawn([...run, "serve"]);
    for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
      if (text.includes("outpost listening on")) break;
    }
    expect(await buildah(...run, "api", "GET", "/-/health")).toContain('"status":"ok"');
    expect((await fetch(`http://127.0.0.1:${port}/-/health`)).status).toBe(200);
    expect(await buildah(...run, "config")).toMatch(/^data +\/var\/lib\/outpost +variable/m);
    const user = await Bun.$`ps -eo uid=,args=`.text();
    expect(user).toMatch(/^ *65532 \/usr\/local\/bin\/outpost serve$/m);
  });
});
