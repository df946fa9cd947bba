/** An event of the log. */
export interface LogLine {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly fields: object;
  readonly message: string;
}

/** Fields whose values are never logged: a second safeguard, since callers should not pass them. */
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

/** Returns `{"level":"info","time":"…",FIELDS,"msg":"request"}` with a line feed. */
export function jsonLine({ level, time, fields, message }: LogLine): string {
  const json = JSON.stringify(withoutSecrets(fields));
  const members = json === "{}" ? "" : `${json.slice(1, -1)},`;
  return `{"level":"${level}","time":"${time}",${members}"msg":${JSON.stringify(message)}}\n`;
}

/** Replaces secret values with `[hidden]`, at the top level only. */
export function withoutSecrets(fields: object): object {
  for (const name in fields) if (secretNames.has(name)) return hidden(fields);
  return fields;
}

function hidden(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretNames.has(name) ? "[hidden]" : value]),
  );
}
