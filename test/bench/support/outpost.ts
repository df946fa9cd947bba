import { join } from "node:path";
import { executable } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";

export const rootToken = "a-token-for-benches-0123456789";

export interface MeasuredOutpost extends MeasuredProcess {
  readonly dataFolder: string;
}

const rootEnvironment = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

/** The executable with its data in memory. Its end removes them. */
export async function startMeasuredInMemory(): Promise<MeasuredProcess> {
  const server = await startMeasured([executable, "serve", "--port", "0", "--memory"], rootEnvironment);
  return { ...server, [Symbol.asyncDispose]: server.stop };
}

/** The executable on a folder of its own, or on `dataFolder`, which stays; its log goes to a file beside the folder. */
export async function startMeasuredOutpost(
  args: readonly string[] = [],
  dataFolder?: string,
): Promise<MeasuredOutpost> {
  const temporary = dataFolder === undefined ? await createTempFolder() : undefined;
  const folder = dataFolder ?? join(temporary?.path ?? "", "data");
  const command = [executable, "serve", "--port", "0", "--data", folder, ...args];
  const server = await startMeasured(command, rootEnvironment, `${folder}.log`);
  return {
    ...server,
    dataFolder: folder,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await temporary?.remove();
    },
  };
}

/** Fills a new store with sample data; root has `rootToken`. */
export async function seedStore(folder: string, scale: number): Promise<void> {
  const child = Bun.spawn([executable, "seed", "--data", folder, "--scale", String(scale)], {
    env: { ...process.env, ...rootEnvironment },
    stdout: "ignore",
    stderr: "ignore",
  });
  if ((await child.exited) !== 0) throw new Error("the seed failed");
}

/** Makes users through the API until `count` of them were made. */
export async function createUsers(origin: string, count: number): Promise<void> {
  let made = 0;
  const write = async () => {
    while (made < count) {
      const username = `person${made++}`;
      const user = {
        username,
        email: `${username}@example.test`,
        name: `Person ${made}`,
        force_random_password: true,
      };
      const answer = await fetch(`${origin}/api/v4/users`, {
        method: "POST",
        headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
        body: JSON.stringify(user),
      });
      if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
}

/** Creates a project of root's → its id. */
export async function createProject(origin: string, path: string): Promise<number> {
  const answer = await fetch(`${origin}/api/v4/projects`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    body: JSON.stringify({ name: path, path }),
  });
  if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
}

/** The body of a request that creates a user, for a load; no two loads of one server may have the same prefix. */
export function newUserBody(prefix: string): string {
  const username = `${prefix}{n}`;
  const user = { email: `${username}@example.test`, username, name: "Person {n}", force_random_password: true };
  return JSON.stringify(user);
}

/** A token of a user who is no administrator. */
export async function createToken(origin: string, userId: number): Promise<string> {
  const answer = await fetch(`${origin}/api/v4/users/${userId}/personal_access_tokens`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "bench", scopes: ["api"] }),
  });
  if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}
