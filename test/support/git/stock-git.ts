/** The distribution's git, as the judge of what the server reads and writes. */

/** The end of a call of git. */
export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const env = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  HOME: "/nonexistent",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

/** Runs git in a folder, with bytes on its standard input. */
export function tryGit(
  folder: string,
  args: readonly string[],
  input: Uint8Array | string = "",
  more: Readonly<Record<string, string>> = {},
): GitAnswer {
  const stdin = typeof input === "string" ? Buffer.from(input) : input;
  const child = Bun.spawnSync(["git", "-C", folder, ...args], { env: { ...env, ...more }, stdin });
  return { exitCode: child.exitCode, stdout: Buffer.from(child.stdout), stderr: child.stderr.toString() };
}

/** Runs git and returns its output. Throws when git fails. */
export function runGit(
  folder: string,
  args: readonly string[],
  input: Uint8Array | string = "",
  more: Readonly<Record<string, string>> = {},
): string {
  const { exitCode, stdout, stderr } = tryGit(folder, args, input, more);
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")} failed:\n${stderr}${stdout}`);
  return stdout.toString();
}

/** Writes an object as it is, sound or not. Returns its id. */
export function writeObject(folder: string, type: string, content: Uint8Array | string): string {
  return runGit(folder, ["hash-object", "-t", type, "-w", "--stdin", "--literally"], content).trim();
}
