/** A call for an example. */
export interface ExampleCall {
  /** An object is sent as JSON, unless it is a form. */
  readonly body?: object | string;
  /** Without them root's token is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Expected; any success if it is not given. */
  readonly status?: number;
}

/** The answer to a call for an example. */
export interface ExampleAnswer {
  readonly headers: Headers;
  /** Its JSON; undefined for another type. */
  readonly json: unknown;
  /** A field of the JSON object, or of the first one in a list, as text. Throws when it has no value. */
  field(name: string): string;
}

/** Calls a server, and keeps the answers that have JSON. */
export class Recorder {
  readonly #origin: string;
  readonly #token: string;
  readonly #answers = new Map<string, unknown>();

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** The JSON that a call of the operation (`GET /users/:id`) answered with the status. */
  answerOf(operation: string, status: number): unknown {
    return this.#answers.get(`${status} ${operation}`);
  }

  /** Performs a call of an operation; `path` has the values of the parameters. Throws for an answer with another status. */
  async call(operation: string, path: string, { body, headers, status }: ExampleCall = {}): Promise<ExampleAnswer> {
    const [method = ""] = operation.split(" ");
    const isJson = typeof body === "object" && !(body instanceof FormData);
    const answer = await fetch(new URL(path, this.#origin), {
      method,
      headers: {
        ...(headers ?? { "PRIVATE-TOKEN": this.#token }),
        ...(isJson ? { "Content-Type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
    const text = await answer.text();
    if (status === undefined ? !answer.ok : answer.status !== status) {
      throw new Error(`${operation}: ${answer.status} ${text}`);
    }
    const json: unknown = answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : undefined;
    if (json !== undefined) this.#answers.set(`${answer.status} ${operation}`, json);
    return { headers: answer.headers, json, field: (name) => fieldOf(json, name, operation) };
  }

  /** As `call`, with a path below `/api/v4`. */
  api(operation: string, path: string, call?: ExampleCall): Promise<ExampleAnswer> {
    return this.call(operation, `/api/v4${path}`, call);
  }
}

function fieldOf(json: unknown, name: string, operation: string): string {
  const [object]: unknown[] = [json].flat();
  const value: unknown = typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Error(`${operation}: the answer has no ${name}`);
}
