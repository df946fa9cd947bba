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
    const answer = await send(method, `${origin}/api/v4${path}`, token, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body) as T;
  }
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
  };
}

/** Loads `node:http` here, since an import at the top would cost every start of the executable 4 ms. */
async function send(method: string, url: string, token: string, body?: object) {
  const { request } = await import("node:http");
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" } });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      let received = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        received += text;
      });
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: received }));
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
