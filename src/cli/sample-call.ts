import { type SampleRequest, sampleNameOf } from "../modules/kernel/sample-maker.ts";
import { operations } from "../modules/operations.ts";
import type { PreparedCall } from "./selftest/request.ts";

const atRoot = new Set<string>(operations.filter(({ root }) => root === true).map(sampleNameOf));

/** Returns the prepared call of a sample. */
export async function callOf(request: SampleRequest): Promise<PreparedCall> {
  const { operation, method, path, query = {}, headers = {} } = request;
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
  const body = await bodyOf(request);
  return {
    method,
    path: `${atRoot.has(operation) ? "" : "/api/v4"}${path}${search}`,
    headers: { ...(body === undefined ? {} : { "content-type": body.type }), ...headers },
    ...(body === undefined ? {} : { body: body.bytes }),
  };
}

async function bodyOf({ json, form, multipart, raw }: SampleRequest) {
  if (json !== undefined) return { type: "application/json", bytes: JSON.stringify(json) };
  const content = form === undefined ? (multipart ?? raw) : new URLSearchParams(form);
  if (content === undefined) return undefined;
  const encoded = new Response(content);
  const type = encoded.headers.get("content-type") ?? "application/octet-stream";
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}
