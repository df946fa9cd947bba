import { connect } from "node:net";

/** A request whose body is held back until the test says so, and which is therefore in flight. */
export interface SlowRequest {
  /** Sends the body and resolves with the answer, status line and all, once the connection is closed. */
  finish(): Promise<string>;
}

/** Sends the head of a JSON request and resolves once the server has asked for the body (`100 Continue`). */
export async function beginSlowRequest(
  origin: string,
  path: string,
  token: string,
  body: object,
): Promise<SlowRequest> {
  const { hostname, port, host } = new URL(origin);
  const content = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  const goOn = "HTTP/1.1 100 Continue\r\n\r\n";
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    received += text;
    if (received.startsWith(goOn)) begun.resolve();
  });
  socket.on("error", (error) => {
    begun.reject(error);
    ended.reject(error);
  });
  socket.on("close", () => ended.resolve(received.slice(goOn.length)));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nPRIVATE-TOKEN: ${token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(content)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
  );
  await begun.promise;
  return {
    finish: () => {
      socket.write(content);
      return ended.promise;
    },
  };
}

/** Resolves once nothing listens at the origin any more. */
export async function untilRefused(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on("connect", () => resolve(false)).on("error", () => resolve(true));
      socket.on("connect", () => socket.destroy());
    });
  while (!(await isRefused())) await Bun.sleep(1);
}
