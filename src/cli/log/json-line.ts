/** One event of the log. */
export interface LogLine {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly fields: object;
  readonly message: string;
}

/** Names whose values are never logged: a second safeguard, since callers should not pass them. */
const secretNames = new Set([
  "token",
  "password",
  "private_token",
  "access_token",
  "job_token",
  "authorization",
  "cookie",
  "headers",
  "body",
]);

/** `{"level":"info","time":"…",FIELDS,"msg":"request"}` with its line feed. */
export function jsonLine({ level, time, fields, message }: LogLine): string {
  const json = JSON.stringify(withoutSecrets(fields));
  const members = json === "{}" ? "" : `${json.slice(1, -1)},`;
  return `{"level":"${level}","time":"${time}",${members}"msg":${JSON.stringify(message)}}\n`;
}

/** The same fields, with `[hidden]` in the place of a secret. Looks at the top level only. */
export function withoutSecrets(fields: object): object {
  for (const name in fields) if (secretNames.has(name)) return hidden(fields);
  return fields;
}

function hidden(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretNames.has(name) ? "[hidden]" : value]),
  );
}
