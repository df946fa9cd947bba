/** Why a tool of the system cannot be used, or undefined once `command` succeeds. */
export type Missing = string | undefined;

/**
 * Makes sure that `command` succeeds, installing `aptPackage` if it does not. If that is impossible (no Debian, not
 * root, no network), it returns and prints the reason, for the tests that have to be skipped.
 */
export async function installTool(command: readonly string[], aptPackage: string): Promise<Missing> {
  if (await succeeds(command)) return undefined;
  const reason = await install(command, aptPackage);
  if (reason !== undefined) console.log(`${aptPackage}: ${reason}`);
  return reason;
}

const get = ["apt-get", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];

let updated: Promise<boolean> | undefined;
/** Once a run: where there is no network, one tool after the other would wait for it. */
function update(): Promise<boolean> {
  updated ??= succeeds([...get, "update"]);
  return updated;
}

async function install(command: readonly string[], aptPackage: string): Promise<Missing> {
  if (Bun.which("apt-get") === null) return `not there, and no apt-get to install it with`;
  if (process.getuid?.() !== 0) return `not there, and only root may install it: apt-get install ${aptPackage}`;
  const isInstalled =
    (await succeeds([...get, "install", "-y", aptPackage])) ||
    ((await update()) && (await succeeds([...get, "install", "-y", aptPackage])));
  if (!isInstalled) return `apt-get install ${aptPackage} failed`;
  return (await succeeds(command)) ? undefined : `${command.join(" ")} fails although it is installed`;
}

async function succeeds(command: readonly string[]): Promise<boolean> {
  if (Bun.which(command[0] as string) === null) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = Bun.spawn([...command], { env, stdio: ["ignore", "ignore", "ignore"] });
  return (await child.exited) === 0;
}
