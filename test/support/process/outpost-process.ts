import { join } from "node:path";
import { createTempFolder } from "./temp-folder.ts";

const root = join(import.meta.dir, "../../..");

/** The output of `bun run build`. */
export const executable = join(root, "dist/outpost");

/** Runs the sources with the same limit of request lines that is built into the executable. */
const interpreter = [process.execPath, "--max-http-header-size=131072"];

/** Longest wait for the ready line; far more than any machine should need. */
const readyMsMax = 120_000;

export interface RunOptions {
  /** Beside PATH and the like; no `OUTPOST_` variable of the caller is handed down. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the project's root. */
  readonly cwd?: string;
  /** Default: the executable. */
  readonly from?: "executable" | "source";
  /** A descriptor in the place of the pipe that is read here: then `stderr` stays empty. */
  readonly stderr?: number;
}

export interface StartOptions extends RunOptions {
  /** Default: a temporary folder, removed when the process has ended. */
  readonly dataFolder?: string;
  /** Default: `serve`. */
  readonly command?: "serve" | "demo";
  /** With `--memory` in place of a data folder. */
  readonly inMemory?: boolean;
  /** After `--port 0 --data …`, so that they win. */
  readonly args?: readonly string[];
}

/** The end of a process and its output. */
export interface Ended {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running server in a process of its own; disposing kills it and removes its temporary folder. */
export interface OutpostProcess extends AsyncDisposable {
  /** `http://HOST:PORT` from the ready line. */
  readonly origin: string;
  readonly pid: number;
  readonly dataFolder: string;
  /** Everything said so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves once stderr holds `text`; rejects when the process ends without it. */
  saw(text: string): Promise<void>;
  send(signal: NodeJS.Signals): void;
  /** Sends the signal, SIGTERM by default, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** SIGKILL, and waits for the end. A folder handed in stays as it is. */
  kill(): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** Runs a command that ends by itself. */
export async function runOutpost(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return launch(args, options).ended;
}

/** Starts a server and waits for its ready line. Throws with all it said when it ends or takes too long instead. */
export async function startOutpost(options: StartOptions = {}): Promise<OutpostProcess> {
  const { dataFolder: given, inMemory = false } = options;
  const temporary = given === undefined && !inMemory ? await createTempFolder() : undefined;
  const dataFolder = given ?? join(temporary?.path ?? "", "data");
  const place = inMemory ? ["--memory"] : ["--data", dataFolder];
  const args = [options.command ?? "serve", "--port", "0", ...place, ...(options.args ?? [])];
  const child = launch(args, options);
  const cleanUp = async () => {
    await child.kill();
    await temporary?.remove();
  };
  try {
    const line = await child.stdout.wait(/^outpost listening on (\S+)\n/m, readyMsMax);
    return {
      origin: line[1] ?? "",
      pid: child.pid,
      dataFolder,
      stdout: () => child.stdout.text,
      stderr: () => child.stderr.text,
      saw: async (text) => void (await child.stderr.wait(new RegExp(RegExp.escape(text)), readyMsMax)),
      send: child.send,
      stop: (signal = "SIGTERM") => {
        child.send(signal);
        return child.ended;
      },
      kill: child.kill,
      ended: child.ended,
      [Symbol.asyncDispose]: cleanUp,
    };
  } catch (error) {
    await cleanUp();
    throw new Error(`outpost ${args.join(" ")} did not get ready:\n${child.stderr.text}`, { cause: error });
  }
}

/** Processes must not outlive a test run that is cut off. */
const running = new Set<() => void>();
process.on("exit", () => {
  for (const end of running) end();
});

function launch(args: readonly string[], options: RunOptions) {
  const command = options.from === "source" ? [...interpreter, join(root, "src/main.ts")] : [executable];
  const child = Bun.spawn([...command, ...args], {
    cwd: options.cwd ?? root,
    env: { ...inheritedEnvironment(), ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: options.stderr ?? "pipe",
  });
  const end = () => child.kill("SIGKILL");
  running.add(end);
  const [stdout, stderr] = [
    collect(child.stdout),
    collect(child.stderr instanceof ReadableStream ? child.stderr : new Blob().stream()),
  ];
  const ended = Promise.all([child.exited, stdout.done, stderr.done]).then((): Ended => {
    running.delete(end);
    const { exitCode, signalCode } = child;
    return { exitCode, signal: signalCode?.toString() ?? null, stdout: stdout.text, stderr: stderr.text };
  });
  return {
    pid: child.pid,
    stdout,
    stderr,
    ended,
    send: (signal: NodeJS.Signals) => child.kill(signal),
    kill: () => {
      end();
      return ended;
    },
  };
}

function inheritedEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OUTPOST_")));
}

/** Gathers a stream and lets others wait for what comes out of it. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let isDone = false;
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      tell();
    }
    isDone = true;
    tell();
  };
  const wait = (pattern: RegExp, timeoutMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const look = () => {
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
      else if (isDone) reject(new Error(`the stream ended without ${pattern}`));
    };
    const timer = setTimeout(() => reject(new Error(`no ${pattern} within ${timeoutMs} ms`)), timeoutMs);
    watchers.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      watchers.delete(look);
    });
  };
  return {
    get text() {
      return text;
    },
    done: read(),
    wait,
  };
}
