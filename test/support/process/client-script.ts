import { join } from "node:path";

const root = join(import.meta.dir, "../../..");

/** Scripts of another runtime end with one line of JSON: what they saw, by the name of the step. */
export async function runClientScript(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${stderr}${stdout}`);
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  return JSON.parse(last) as Record<string, unknown>;
}
