/** The little of a client that verbs need to talk to a running server. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

/**
 * Calls below `/api/v4` with one token. An answer that is not a success rejects with an `Error` that holds its body.
 * NOTE: not `fetch`, which follows HTTP_PROXY even to 127.0.0.1 and would hand the token to the proxy.
 */
export function apiClient(origin: string, token: string): ApiClient {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await send({
      method,
      url: `${origin}/api/v4${path}`,
      headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body.toString()) as T;
  }
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
  };
}

/** One request as it goes out. */
export interface SentRequest {
  readonly method: string;
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ReceivedAnswer {
  readonly status: number;
  /** The words after the status. */
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * Sends one request and reads the whole answer; redirections are not followed. Rejects when there is no answer.
 * Loads `node:http` here, since an import at the top would cost every start of the executable 4 ms.
 */
export async function send({ method, url, headers, body }: SentRequest): Promise<ReceivedAnswer> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const received: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => received.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          reason: answer.statusMessage ?? "",
          headers: answer.headers,
          body: Buffer.concat(received),
        }),
      );
    });
    sent.end(body);
  });
}
