// The git of the distribution behind its own CGI program. One argument: the folder with the repositories.
const [folder] = process.argv.slice(2) as [string];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  fetch: serve,
});
console.log(`listening on ${server.url.origin}`);

async function serve(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? "";
  const child = Bun.spawn(["git", "http-backend"], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "ann",
      REMOTE_ADDR: "127.0.0.1",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: header("content-type"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      GIT_PROTOCOL: header("git-protocol"),
      ...(header("content-length") === "" ? {} : { CONTENT_LENGTH: header("content-length") }),
    },
    stdin: request.body ?? "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  return answerOf(child.stdout);
}

/** The program writes headers, an empty line, and the body. */
async function answerOf(stream: ReadableStream<Uint8Array>): Promise<Response> {
  const reader = stream.getReader();
  let bytes = Buffer.alloc(0);
  let end = -1;
  while (end === -1) {
    const { value, done } = await reader.read();
    if (done) return new Response("no headers", { status: 502 });
    bytes = Buffer.concat([bytes, value]);
    end = bytes.indexOf("\r\n\r\n");
  }
  const headers = new Headers();
  let status = 200;
  for (const line of bytes.toString("latin1", 0, end).split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+): *(.*)$/.exec(line) ?? [];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers.append(name, value);
  }
  const rest = new Uint8Array(bytes.subarray(end + 4));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(rest),
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(body, { status, headers });
}
