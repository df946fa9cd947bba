import { createTempFolder } from "./temp-folder.ts";

/** A small file system of its own; disposing takes it away again. */
export interface Mount extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  makeReadOnly(): Promise<void>;
}

/** Why this machine does not let the tests mount, or undefined. Printed once, for the tests that have to be skipped. */
export async function whyNoMounts(): Promise<string | undefined> {
  try {
    const mount = await mountTmpfs(1);
    await mount[Symbol.asyncDispose]();
    return undefined;
  } catch (error) {
    const reason = `no file system can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
    console.log(`skipped: ${reason}`);
    return reason;
  }
}

export async function mountTmpfs(sizeMib: number): Promise<Mount> {
  const folder = await createTempFolder();
  try {
    await run(["mount", "-t", "tmpfs", "-o", `size=${sizeMib}m,mode=755`, "outpost-test", folder.path]);
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    path: folder.path,
    makeReadOnly: () => run(["mount", "-o", "remount,ro", folder.path]),
    async [Symbol.asyncDispose]() {
      await run(["umount", folder.path]);
      await folder.remove();
    },
  };
}

async function run(command: readonly string[]): Promise<void> {
  if (Bun.which(command[0] as string) === null) throw new Error(`there is no ${command[0]}`);
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(said.trim());
}
