import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "./fault-client.ts";

/** A proxy with HTTPS in a process of its own. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
}

/** nginx in the foreground, with one `server` block. Its files lie in `folder`. */
export async function startNginx(folder: string, port: number, serverBlock: string): Promise<RunningProxy> {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  await mkdir(folder, { recursive: true });
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  const file = join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log ${folder}/errors;\nevents {}\nhttp {\n${temporary}\naccess_log off;\n${serverBlock}\n}\n`,
  );
  return launch(["nginx", "-p", folder, "-c", file], port);
}

export async function startCaddy(folder: string, port: number, site: string): Promise<RunningProxy> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "Caddyfile");
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
  return launch(["caddy", "run", "--adapter", "caddyfile", "--config", file], port, { HOME: folder });
}

async function launch(command: string[], port: number, env: Record<string, string> = {}): Promise<RunningProxy> {
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdio: [...stdio] });
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  await until(`${command[0]} listens`, async () => {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr as ReadableStream).text());
    return isUp();
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      const timer = setTimeout(end, 2_000);
      await child.exited;
      clearTimeout(timer);
      process.off("exit", end);
    },
  };
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A request by HTTPS from another address of this machine; `path` goes out as it is. */
export function askThrough(
  port: number,
  {
    method = "GET",
    path,
    headers = {},
    body,
  }: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  },
): Promise<ProxiedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxiedAnswer>();
  const sent = request({
    ...{ host: "127.0.0.1", port, method, path, rejectUnauthorized: false, localAddress: clientAddress, agent: false },
    headers: {
      Host: `127.0.0.1:${port}`,
      ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
      ...headers,
    },
  });
  sent.on("error", reject);
  sent.on("response", (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (chunk: string) => {
      text += chunk;
    });
    answer.on("error", reject);
    answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
  });
  sent.end(body);
  return promise;
}

/** All of 127/8 is this machine, and this one no proxy of the tests. */
export const clientAddress = "127.0.0.9";
