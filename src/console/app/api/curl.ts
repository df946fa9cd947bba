/** A call that a page makes and displays. */
export interface ShownCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the host, with the query. */
  readonly address: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the call as a curl command. The user adds the token. */
export function curlOf({ method, address, body }: ShownCall): string {
  const words = ["curl", ...(method === "GET" ? [] : ["-X", method]), '-H "PRIVATE-TOKEN: $TOKEN"'];
  if (body !== undefined) words.push("-H 'Content-Type: application/json'", "-d", quoted(JSON.stringify(body)));
  words.push(quoted(`${location.origin}${address}`));
  return words.join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
