import { FormatRegistry, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { pathOf } from "../../../http/openapi/document.ts";
import { renderApiDocument } from "../../../http/openapi/index.ts";
import type { Json } from "../../../http/openapi/schemas.ts";
import { type ApiExamples, exampleKeyOf } from "../../../http/openapi/with-examples.ts";
import { successStatus } from "../../../http/responses/responses.ts";
import type { Operation } from "../../../modules/kernel/operation.ts";
import { apiTags } from "../../../modules/operations.ts";
import { recordPeople } from "./calls-people.ts";
import { recordServices } from "./calls-services.ts";
import { recordWork } from "./calls-work.ts";
import { dataParent, rootPassword, rootToken, withDemoServer } from "./demo-server.ts";
import { collectErrors } from "./error-examples.ts";
import { Recorder } from "./recorder.ts";
import { SampleAnswers } from "./sample-answers.ts";

/** Collects the answers of recorded calls on the demo, of each GET of the API, and of refused calls. */
export function collectExamples(): Promise<ApiExamples> {
  return withDemoServer(async (origin) => ({
    ...(await collectAnswers(origin)),
    ...(await collectErrors(origin, rootToken)),
  }));
}

/** Collects the answers of recorded calls on a running demo, and of each GET of the API. */
export async function collectAnswers(origin: string): Promise<ApiExamples> {
  const recorder = new Recorder(origin, rootToken);
  await recordPeople(recorder, rootPassword);
  await recordWork(recorder);
  await recordServices(recorder);
  return new ExampleCollector(origin, recorder, new SampleAnswers(origin, rootToken)).collect();
}

/** The most groups, projects or users to search for an answer with content. */
const parentsMax = 40;
/** The most answers with content to compare. */
const answersMax = 3;
/** The most array items in an example. */
const itemsMax = 2;

class ExampleCollector {
  readonly #origin: string;
  readonly #recorder: Recorder;
  readonly #samples: SampleAnswers;
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(origin: string, recorder: Recorder, samples: SampleAnswers) {
    this.#origin = origin;
    this.#recorder = recorder;
    this.#samples = samples;
  }

  async collect(): Promise<ApiExamples> {
    const successes = successesOf(JSON.parse(await renderApiDocument(apiTags)));
    const examples: Record<string, unknown> = {};
    const answersByTag = new Map<string, unknown[]>();
    const missing: Success[] = [];
    for (const success of successes) {
      const { key, tag } = success;
      const found = await this.#answerOf(success);
      if (found === undefined) missing.push(success);
      else {
        if (!(key in examples) || richness(found) > richness(examples[key])) examples[key] = found;
        answersByTag.set(tag, [...(answersByTag.get(tag) ?? []), found, ...(Array.isArray(found) ? found : [])]);
      }
    }
    for (const { key, tag, schema } of missing) {
      const fitting = (answersByTag.get(tag) ?? []).filter((each) => fits(schema, each));
      examples[key] ??= fitting.toSorted((one, other) => richness(other) - richness(one))[0];
    }
    // Reads come last, when the other calls have filled the lists.
    for (const { key, operation, status } of missing.toSorted((one, other) => rankOf(one) - rankOf(other))) {
      examples[key] ??= shorten(await this.#samples.answerOf(operation, status));
    }
    const found = Object.entries(examples).filter(([, value]) => value !== undefined);
    return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Returns the recorded answer, else the best answer of a GET. */
  async #answerOf({ operation, status }: Success): Promise<unknown> {
    const recorded = this.#recorder.answerOf(`${operation.method} ${operation.path}`, status);
    if (recorded !== undefined) return shorten(recorded);
    return isRead(operation) && status === 200 ? await this.#richest(operation) : undefined;
  }

  /** Returns the answer with the most content, of the first few that have some. */
  async #richest({ path, root }: Operation): Promise<unknown> {
    let best: unknown;
    let found = 0;
    for (const address of await this.#addressesOf(root === true ? path : `/api/v4${path}`)) {
      const shown = shorten(await this.#get(address));
      if (richness(shown) === 0) continue;
      if (richness(shown) > richness(best)) best = shown;
      found += 1;
      if (found === answersMax) break;
    }
    return best;
  }

  /** Returns the URLs for a path with parameters. Each parameter gets the values of the list before it. */
  async #addressesOf(path: string): Promise<string[]> {
    const last = path.lastIndexOf("/:");
    if (last === -1) return path.includes("*") ? [] : [path];
    const end = path.indexOf("/", last + 1);
    const rest = end === -1 ? "" : path.slice(end);
    const name = path.slice(last + 2, end === -1 ? undefined : end);
    const addresses: string[] = [];
    for (const parent of await this.#addressesOf(path.slice(0, last))) {
      for (const item of await this.#itemsOf(parent)) {
        const value = valueFor(name, item as Json);
        if (value !== undefined) addresses.push(`${parent}/${encodeURIComponent(value)}${rest}`);
      }
      if (addresses.length >= parentsMax) break;
    }
    return addresses.slice(0, parentsMax);
  }

  /** Returns the items of a list. The list of all users may have items where root's own has none. */
  async #itemsOf(parent: string): Promise<unknown[]> {
    for (const address of [parent, `${parent}/all`]) {
      const list = await this.#get(address);
      if (Array.isArray(list) && list.length > 0) return list;
    }
    return [];
  }

  /** Returns the JSON of a success; undefined for other answers. */
  #get(address: string): Promise<unknown> {
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const asked = this.#fetch(address);
    this.#answers.set(address, asked);
    return asked;
  }

  async #fetch(address: string): Promise<unknown> {
    const answer = await fetch(`${this.#origin}${address}`, { headers: { "PRIVATE-TOKEN": rootToken } });
    const isJson = answer.headers.get("content-type") === "application/json";
    const text = await answer.text();
    return answer.ok && isJson ? JSON.parse(text) : undefined;
  }
}

function rankOf({ operation }: Success): number {
  return operation.method === "GET" ? 1 : 0;
}

function isRead({ method, who }: Operation): boolean {
  return method === "GET" && who !== "job";
}

/** A success with a JSON body, and the key of its example. */
interface Success {
  readonly key: string;
  readonly tag: string;
  readonly status: number;
  readonly operation: Operation;
  readonly schema: TSchema;
}

/** Returns the successes of all operations. Their keys follow from the API description. */
function successesOf(document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}): Success[] {
  return apiTags.flatMap(({ name: tag, operations }) =>
    operations.flatMap((operation) => {
      const described = document.paths[pathOf(operation)]?.[operation.method.toLowerCase()] ?? {};
      const responses = (described.responses ?? {}) as Readonly<Record<number, Json>>;
      return bodiesOf(operation).flatMap(({ status, schema }): Success[] => {
        const key = exampleKeyOf(described, responses[status] ?? {});
        return key === undefined ? [] : [{ key, tag, status, operation, schema }];
      });
    }),
  );
}

const Accepted = Type.Object({ message: Type.String() });

function bodiesOf({ answer }: Operation): { readonly status: number; readonly schema: TSchema }[] {
  const answers = answer.kind === "outcomes" ? answer.outcomes.map((outcome) => outcome.answer) : [answer];
  return answers.flatMap((each) => {
    if (each.kind === "page") return [{ status: successStatus(each.kind), schema: Type.Array(each.item) }];
    if (each.kind === "accepted") return [{ status: successStatus(each.kind), schema: Accepted }];
    return "body" in each ? [{ status: successStatus(each.kind), schema: each.body }] : [];
  });
}

/** True when an answer to another call has exactly the fields of the schema. A bare value never does. */
function fits(schema: TSchema, answer: unknown): boolean {
  if (typeof answer !== "object" || !Value.Check(schema, answer)) return false;
  return Bun.deepEquals(Value.Clean(schema, structuredClone(answer)), answer);
}

for (const format of ["date", "date-time"]) FormatRegistry.Set(format, () => true);

/** Returns the value of a path parameter in an item of the list before it; undefined when the item has none. */
function valueFor(name: string, item: Json): string | undefined {
  const value = item[name] ?? (name.endsWith("_iid") ? item.iid : (item.id ?? item.key ?? item.name));
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Counts the members with content, at any depth. */
function richness(value: unknown): number {
  if (value === undefined || value === null || value === "") return 0;
  if (typeof value !== "object") return 1;
  return Object.values(value).reduce((sum: number, each) => sum + richness(each), 0);
}

/** Replacements for values that depend on the machine or the time, so that two builds give the same file. */
const steadyValues: Readonly<Record<string, unknown>> = {
  disk_bytes: 128_000_000_000,
  free_bytes: 64_000_000_000,
  request_id: "01a20ade-cd4e-778a-a46d-f35e7df4806c",
  duration_ms: 0.34,
  requests_per_second: 339,
  p50_ms: 0.092,
  p99_ms: 3.986,
  written_at: "2026-10-01T09:00:01.000Z",
};

/** Shortens arrays. */
function shorten(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(dataParent, "/srv/outpost");
  if (Array.isArray(value)) return value.slice(0, itemsMax).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, steadyValues[key] ?? shorten(each)]));
}
