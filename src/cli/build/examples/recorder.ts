/** A call for an example. */
export interface ExampleCall {
  /** Objects are sent as JSON, except forms. */
  readonly body?: object | string;
  /** Default: root's token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status. Default: any success. */
  readonly status?: number;
}

/** The answer to a call for an example. */
export interface ExampleAnswer {
  readonly headers: Headers;
  /** The JSON of the answer; undefined for another type. */
  readonly json: unknown;
  /** Returns a field of the JSON object, or of a list's first object, as text. Throws when it is absent. */
  field(name: string): string;
}

/** Calls a server, and records the JSON answers. */
export class Recorder {
  readonly #origin: string;
  readonly #token: string;
  readonly #answers = new Map<string, unknown>();

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Returns the JSON of a recorded answer of an operation (`GET /users/:id`). */
  answerOf(operation: string, status: number): unknown {
    return this.#answers.get(`${status} ${operation}`);
  }

  /** Calls an operation. `path` has the values of the parameters. Throws for an unexpected status. */
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

  /** Does what `call` does, with a path below `/api/v4`. */
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
