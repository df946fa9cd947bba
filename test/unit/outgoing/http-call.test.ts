import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { httpCaller, type OutgoingCall } from "../../../src/lib/outgoing/http-call.ts";
import { makePair } from "../../support/process/certificates.ts";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/** A receiver that gets the first bytes of each request, and the number of its connections. */
async function receiver(
  answer: (socket: Socket, request: string) => void,
  make: (on: (socket: Socket) => void) => Server = createServer,
) {
  const requests: string[] = [];
  const server = make((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      requests.push(bytes.toString());
      answer(socket, bytes.toString());
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return { requests, port, url: `http://127.0.0.1:${port}` };
}

const plain: Omit<OutgoingCall, "url"> = { method: "POST", timeoutMs: 5_000, answerBytesMax: 1_000, allowsLocal: true };
const call = httpCaller();
const ok = (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: Error) => `${error.name}: ${error.message}`,
  );

test("a call sends method, headers and body of any kind, and gets the answer", async () => {
  const { url, requests, port } = await receiver(ok);
  const headers = { "Content-Type": "application/json", Host: "evil.example", "Content-Length": "1" };
  const answer = await call({ ...plain, method: "PUT", url: `${url}/a?b=c#d`, headers, body: '{"ü":1}' });
  expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, "ok"]);
  expect(requests).toEqual([
    `PUT /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{"ü":1}`,
  ]);
  await call({ ...plain, url: `http://us%40er:pa%3Ass@127.0.0.1:${port}/` });
  expect(requests[1]).toContain(`Authorization: Basic ${btoa("us@er:pa:ss")}\r\n`);
});

test("a redirect is an answer as any other", async () => {
  const other = await receiver(ok);
  const { url } = await receiver((socket) => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${other.url}\r\n\r\n`));
  expect((await call({ ...plain, url })).status).toBe(302);
  expect(other.requests).toEqual([]);
});

describe("a receiver is bounded that", () => {
  test("says nothing", async () => {
    const { url } = await receiver(() => undefined);
    const reason = await reasonOf(call({ ...plain, url, timeoutMs: 100 }));
    expect(reason).toBe("CallFailed: the receiver took more than 0.1 seconds");
  });

  test("sends a byte now and then", async () => {
    const { url } = await receiver((socket) => {
      const timer = setInterval(() => socket.write("x"), 10);
      socket.once("close", () => clearInterval(timer));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
    });
    const reason = await reasonOf(call({ ...plain, url, timeoutMs: 200 }));
    expect(reason).toBe("CallFailed: the receiver took more than 0.2 seconds");
  });

  test("sends an endless body", async () => {
    const { url } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const piece = Buffer.alloc(64 << 10, "x");
      const pump = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", pump);
      pump();
    });
    const { body, isCut } = await call({ ...plain, url });
    expect([body.length, isCut]).toEqual([1_000, true]);
  });

  test("sends endless headers", async () => {
    const { url } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const pump = () => {
        while (!socket.destroyed && socket.write(`X: ${"y".repeat(8_000)}\r\n`));
      };
      socket.on("drain", pump);
      pump();
    });
    expect(await reasonOf(call({ ...plain, url }))).toContain("the head of the answer has more than 65536 bytes");
  });

  test("hangs up, is no HTTP server, or is not there", async () => {
    const silent = await receiver((socket) => socket.end());
    expect(await reasonOf(call({ ...plain, url: silent.url }))).toStartWith("CallFailed: ");
    const strange = await receiver((socket) => socket.end("220 mail.example ESMTP\r\n\r\n"));
    expect(await reasonOf(call({ ...plain, url: strange.url }))).toBe("CallFailed: the answer is no HTTP");
    expect(await reasonOf(call({ ...plain, url: "http://127.0.0.1:1/" }))).toStartWith("CallFailed: no connection");
  });
});

describe("without the permission for local requests, a call goes to no address of this machine:", () => {
  const strict = { ...plain, allowsLocal: false };
  const blocked = "CallFailed: URL is blocked: Requests to localhost are not allowed";

  test.each([
    ...["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]"],
    ...["[0:0:0:0:0:ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"],
  ])("http://%s", async (host) => {
    const { requests, port } = await receiver(ok);
    expect(await reasonOf(call({ ...strict, url: `http://${host}:${port}/` }))).toBe(blocked);
    expect(requests).toEqual([]);
  });

  test("a name that leads to one, even beside a public one", async () => {
    const { requests, port } = await receiver(ok);
    for (const addresses of [["127.0.0.1"], ["8.8.8.8", "::1"]]) {
      const resolving = httpCaller({ resolve: async () => addresses });
      expect(await reasonOf(resolving({ ...strict, url: `http://hook.example:${port}/` }))).toBe(blocked);
    }
    expect(requests).toEqual([]);
  });

  test("a name that means something else the second time", async () => {
    const { requests, port } = await receiver(ok);
    const meanings = [["192.0.2.1"], ["127.0.0.1"]];
    let asked = 0;
    const resolving = httpCaller({
      resolve: async () => {
        asked += 1;
        return meanings.shift() ?? [];
      },
    });
    const reason = await reasonOf(resolving({ ...strict, url: `http://hook.example:${port}/`, timeoutMs: 200 }));
    expect(reason).toStartWith("CallFailed: ");
    expect([asked, requests]).toEqual([1, []]);
  });
});

test("the name is resolved once, and the connection goes to its address under its name", async () => {
  const { requests, port } = await receiver(ok);
  const asked: string[] = [];
  const resolving = httpCaller({
    resolve: async (host) => {
      asked.push(host);
      return ["127.0.0.1"];
    },
  });
  expect((await resolving({ ...plain, url: `http://hook.example:${port}/` })).status).toBe(200);
  expect(asked).toEqual(["hook.example"]);
  expect(requests[0]).toContain(`Host: hook.example:${port}\r\n`);
});

test("a name server that does not answer is bounded", async () => {
  const resolving = httpCaller({ resolve: () => new Promise(() => undefined) });
  const reason = await reasonOf(resolving({ ...plain, url: "http://hook.example/", timeoutMs: 50 }));
  expect(reason).toBe("CallFailed: the receiver took more than 0.05 seconds");
});

test.each([
  ["ftp://a.example/", {}],
  ["nonsense", {}],
  ["http://a.example/", { headers: { "X-A": "b\r\nX-C: d" } }],
  ["http://a.example/", { headers: { "X A": "b" } }],
  ["http://a.example/", { method: "GET / HTTP/1.1\r\n" }],
  ["http://%zz:b@a.example/", {}],
])("a call to %j with %j is refused", async (url, more) => {
  expect(await reasonOf(call({ ...plain, ...more, url }))).toMatch(
    /^CallFailed: (the URL|a header|the method|no connection)/,
  );
});

describe("over TLS", async () => {
  const { cert, key } = await makePair("localhost");
  const { port, requests } = await receiver(ok, (on) => createTlsServer({ cert, key }, on));
  const to = (name: string) => ({ ...plain, url: `https://${name}:${port}/` });
  const resolve = async () => ["127.0.0.1"];

  test("the certificate must be trusted and name the host", async () => {
    expect((await httpCaller({ resolve, ca: cert })(to("localhost"))).status).toBe(200);
    requests.length = 0;
    expect(await reasonOf(httpCaller({ resolve })(to("localhost")))).toStartWith("CallFailed: no connection");
    expect(await reasonOf(httpCaller({ resolve, ca: cert })(to("hook.example")))).toStartWith(
      "CallFailed: no connection",
    );
    expect(requests).toEqual([]);
  });

  test("unless the caller trusts any", async () => {
    expect((await httpCaller({ resolve })({ ...to("hook.example"), trustsAnyCertificate: true })).status).toBe(200);
  });
});
