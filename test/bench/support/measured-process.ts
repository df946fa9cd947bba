import { readFileSync, writeFileSync } from "node:fs";

/** A server in a process of its own, whose use of the machine can be read. */
export interface MeasuredProcess extends AsyncDisposable {
  readonly pid: number;
  /** Lets it finish its work. */
  stop(): Promise<void>;
  /** The address at the end of the first line on stdout. */
  readonly origin: string;
  /** From before it was spawned until its line was read. */
  readonly readyMs: number;
  /** Of all threads, in user and system. NaN where there is no /proc. */
  cpuMicros(): number;
  /** NaN where there is no /proc. */
  rssMb(): number;
  /** The most it had since the start, or since `forgetPeak`. */
  peakRssMb(): number;
  forgetPeak(): void;
}

const microsOfTick = 10_000;

/** Starts a server and waits for its first line, which must end with its origin. Its log goes to a file, or nowhere. */
export async function startMeasured(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  logFile?: string,
): Promise<MeasuredProcess> {
  const startedMs = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...cleanEnvironment(), ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: logFile === undefined ? "ignore" : Bun.file(logFile),
  });
  const line = await firstLine(child.stdout);
  const readyMs = performance.now() - startedMs;
  const origin = /(http:\S+)$/.exec(line)?.[1];
  if (origin === undefined) throw new Error(`${command.join(" ")} said ${JSON.stringify(line)}`);
  const { pid } = child;
  return {
    pid,
    origin,
    readyMs,
    cpuMicros: () => cpuMicrosOf(pid),
    rssMb: () => statusMb(pid, "VmRSS"),
    peakRssMb: () => statusMb(pid, "VmHWM"),
    // 5: see clear_refs in proc(5).
    forgetPeak() {
      if (readProc(pid, "status") !== undefined) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OUTPOST_")));
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end !== -1) return text.slice(0, end);
  }
  return text;
}

function cpuMicrosOf(pid: number): number {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return Number.NaN;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * microsOfTick;
}

function statusMb(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readProc(pid, "status") ?? "")?.[1];
  return kilobytes === undefined ? Number.NaN : (Number(kilobytes) * 1024) / 1e6;
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}
