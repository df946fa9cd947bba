import { request } from "node:http";

interface AddressedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** One request over its own connection, from another address of this machine. */
export function askFrom(
  localAddress: string,
  origin: string,
  { method, path, headers, body }: AddressedRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
  const sent = request({
    ...{ host: hostname, port, method, path, localAddress, agent: false },
    headers: { ...headers, ...length },
  });
  sent.on("error", reject);
  sent.on("response", (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (chunk: string) => {
      text += chunk;
    });
    answer.on("error", reject);
    answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
  });
  sent.end(body);
  return promise;
}
