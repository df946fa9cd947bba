import { type Ended, executable } from "./outpost-process.ts";

/** A server that another command has started: in a namespace, with limits, as somebody else, under a tracer. */
export interface WrappedOutpost extends AsyncDisposable {
  readonly origin: string;
  /** Of the command, and of the server where the command has become it (`exec`). */
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

/** Longest life of a run that should end by itself. */
const endMsMax = 120_000;

/** Runs the executable to its end, or kills it, behind `wrapper`, a command that runs the words after it. */
export function runUnder(
  wrapper: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn([...wrapper, executable, ...args], env);
  const timer = setTimeout(() => child.kill("SIGKILL"), endMsMax);
  return finish(child, child.stdout.text(), child.stderr.text()).finally(() => clearTimeout(timer));
}

/** Starts `serve` behind `wrapper` and waits for its ready line. Throws with what it said when it ends instead. */
export async function startUnder(
  wrapper: readonly string[],
  dataFolder: string,
  env: Readonly<Record<string, string>>,
): Promise<WrappedOutpost> {
  const args = ["serve", "--port", "0", "--data", dataFolder, "--log-level", "warn"];
  const child = spawn([...wrapper, executable, ...args], env);
  const ready = Promise.withResolvers<string>();
  const stdout = (async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const origin = /^outpost listening on (\S+)\n/m.exec(text)?.[1];
      if (origin !== undefined) ready.resolve(origin);
    }
    return text;
  })();
  const ended = finish(child, stdout, child.stderr.text());
  ended.then(
    ({ exitCode, stderr }) => ready.reject(new Error(`ended with ${exitCode} before it was ready:\n${stderr}`)),
    ready.reject,
  );
  return {
    origin: await ready.promise,
    pid: child.pid,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A shell that does something first and then becomes the rest of the words. */
export function afterShell(script: string): readonly string[] {
  return ["sh", "-c", `${script} && exec "$@"`, "sh"];
}

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">;

function spawn(command: readonly string[], env: Readonly<Record<string, string>>): Child {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OUTPOST_")));
  const child = Bun.spawn([...command], {
    env: { ...own, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // Nothing may outlive a test run that is cut off.
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  void child.exited.then(() => process.off("exit", end));
  return child;
}

async function finish(child: Child, stdout: Promise<string>, stderr: Promise<string>): Promise<Ended> {
  const said = { stdout: await stdout, stderr: await stderr };
  await child.exited;
  return { exitCode: child.exitCode, signal: child.signalCode?.toString() ?? null, ...said };
}
