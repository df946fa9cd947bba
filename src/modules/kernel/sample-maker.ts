import type { ModuleManifest } from "./module.ts";
import { type Method, type Operation, replacePathParameters } from "./operation.ts";
import { OperationTable } from "./operation-table.ts";
import type {
  Sample,
  SampleAnswer,
  SampleCall,
  SampleKind,
  SampleName,
  SamplePath,
  SamplePlace,
  SampleScene,
  SampleUser,
} from "./sample.ts";

/** The samples of all operations, by their names. */
export type SampleTable = ReadonlyMap<SampleName, Sample>;

/** A call with all values, ready to be sent by anybody. */
export interface SampleRequest extends Omit<SampleCall, "path" | "address"> {
  readonly operation: SampleName;
  readonly method: Method;
  /** As operations have it: without `/api/v4`. */
  readonly path: string;
}

/** The server that samples are tried on. */
export interface SampleHost {
  readonly caller: SampleUser;
  readonly user: SampleUser;
  readonly place: SamplePlace;
  /** Results of `once` in the place. */
  readonly known: Map<string, Promise<unknown>>;
  fresh(): string;
  send(request: SampleRequest, by: "root" | "caller"): Promise<{ readonly status: number; readonly text: string }>;
}

export const sampleNameOf = ({ method, path }: Operation): SampleName => `${method} ${path as `/${string}`}`;

/** Loads the samples of the modules. Throws an error that names the module for a sample of no operation. */
export async function loadSamples(modules: readonly ModuleManifest[]): Promise<SampleTable> {
  const operations = await new OperationTable(modules).loadAll();
  const table = new Map<SampleName, Sample>(operations.map((operation) => [sampleNameOf(operation), {}]));
  for (const { name: module, samples } of modules) {
    for (const [name, sample] of Object.entries((await samples?.()) ?? {}) as [SampleName, Sample][]) {
      if (!table.has(name)) throw new Error(`the module ${module} has a sample of ${name}, which is no operation`);
      table.set(name, typeof sample === "function" ? { make: sample } : sample);
    }
  }
  return table;
}

/**
 * Prepares the calls of samples. A path parameter without a value is the place's group or project, or the user; else a new
 * thing, made by the sample of `POST` on the path before it, or of `POST` or `PUT` on the path that ends with it.
 */
export class SampleMaker implements SampleScene {
  readonly #samples: SampleTable;
  readonly #host: SampleHost;

  constructor(samples: SampleTable, host: SampleHost) {
    this.#samples = samples;
    this.#host = host;
  }

  get caller(): SampleUser {
    return this.#host.caller;
  }

  get user(): SampleUser {
    return this.#host.user;
  }

  get place(): SamplePlace {
    return this.#host.place;
  }

  readonly fresh = (): string => this.#host.fresh();

  readonly call = async (name: SampleName, change: SampleCall = {}): Promise<SampleAnswer> =>
    (await this.#make(name, change)).answer;

  readonly callByCaller = async (name: SampleName, change: SampleCall = {}): Promise<SampleAnswer> =>
    (await this.#make(name, change, true)).answer;

  readonly add = async (kind: SampleKind): Promise<number> => {
    const { groupId, visibility } = this.place;
    const path = this.fresh();
    const attributes = {
      users: undefined,
      groups: { name: path, path, parent_id: groupId, visibility },
      projects: { path, namespace_id: groupId, visibility },
    }[kind];
    const answer = await this.call(`POST /${kind}`, attributes === undefined ? {} : { json: attributes });
    return Number(answer.get("id"));
  };

  readonly once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = this.#host.known.get(name) ?? make();
    this.#host.known.set(name, known);
    return known as Promise<T>;
  };

  /** The call of an operation, after all that it needs has been made. */
  async prepare(name: SampleName, change: SampleCall = {}): Promise<SampleRequest> {
    return (await this.#prepare(name, change)).request;
  }

  async #prepare(name: SampleName, change: SampleCall) {
    const {
      make,
      isOnNew,
      after = [],
      isMadeByCaller: _by,
      status: _status,
      unsuited: _unsuited,
      ...own
    } = this.#sampleOf(name);
    const made = (await make?.(this)) ?? {};
    const { path: _path, address, ...rest } = { ...beneath({ ...beneath(own, made), ...made }, change), ...change };
    const [method, declared] = name.split(" ", 2) as [Method, string];
    const given = { ...own.path, ...made.path, ...change.path };
    const values = address === undefined ? await this.#valuesOf(name, given, isOnNew === true) : {};
    for (const earlier of after) await this.call(earlier, { path: values });
    const path = address ?? fillIn(declared, values);
    return { request: { ...rest, operation: name, method, path }, values };
  }

  async #make(name: SampleName, change: SampleCall, isByCaller = this.#sampleOf(name).isMadeByCaller === true) {
    const { request, values } = await this.#prepare(name, change);
    let answer = await this.#host.send(request, isByCaller ? "caller" : "root");
    if (isByCaller && answer.status >= 400) answer = await this.#host.send(request, "root");
    if (answer.status >= 400) throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.text}`);
    return { answer: new ReceivedAnswer(name, answer), values };
  }

  #sampleOf(name: SampleName): Sample {
    const sample = this.#samples.get(name);
    if (sample === undefined) throw new Error(`no operation is called ${name}`);
    return sample;
  }

  async #valuesOf(name: SampleName, given: SamplePath, isOnNew: boolean): Promise<SamplePath> {
    const values: Record<string, string | number> = { ...given };
    for (const { parameter, before } of parametersOf(name)) {
      values[parameter] ??= await this.#valueOf(name, parameter, before, values, isOnNew);
    }
    return values;
  }

  async #valueOf(
    name: SampleName,
    parameter: string,
    before: string,
    values: SamplePath,
    isOnNew: boolean,
  ): Promise<string | number> {
    const kind = kindBefore(before);
    if (kind !== undefined) return isOnNew ? this.add(kind) : this.#shared(kind);
    const maker = findMaker(this.#samples, parameter, before);
    if (maker === undefined || maker === name) throw new Error(`the sample of ${name} has no value for ${parameter}`);
    const made = await this.#make(maker, { path: values });
    return made.values[parameter] ?? made.answer.valueOf(parameter);
  }

  #shared(kind: SampleKind): number {
    const { user, place } = this.#host;
    return { users: user.id, groups: place.groupId, projects: place.projectId }[kind];
  }
}

/** The operation whose sample makes what a path parameter stands for. */
function findMaker(samples: SampleTable, parameter: string, before: string): SampleName | undefined {
  const one = `${before}/:${parameter}`;
  return ([`POST ${before}`, `POST ${one}`, `PUT ${one}`] as SampleName[]).find((each) => samples.has(each));
}

/** The path parameters that nothing gives a value but the operation's own sample. */
export function needsMaker(name: SampleName, samples: SampleTable): string[] {
  const unknown = parametersOf(name).filter(({ parameter, before }) => {
    const maker = findMaker(samples, parameter, before);
    return kindBefore(before) === undefined && (maker === undefined || maker === name);
  });
  return unknown.map(({ parameter }) => parameter);
}

/** The kind of what a parameter after this path stands for, if all samples share one. */
function kindBefore(path: string): SampleKind | undefined {
  return /^\/(users|groups|projects)$/.exec(path)?.[1] as SampleKind | undefined;
}

/** The parameters of an operation, each with the path before it. */
function parametersOf(name: SampleName): { readonly parameter: string; readonly before: string }[] {
  const path = name.slice(name.indexOf("/"));
  return [...path.matchAll(/\/[:*]([a-z_]+)/g)].map((match) => ({
    parameter: match[1] as string,
    before: path.slice(0, match.index),
  }));
}

const bodies: ReadonlySet<string> = new Set(["json", "form", "multipart", "raw"]);

/** The members of a call that another one replaces: a call has one body. */
function beneath(call: SampleCall, next: SampleCall): SampleCall {
  const hasBody = Object.keys(next).some((name) => bodies.has(name));
  return Object.fromEntries(Object.entries(call).filter(([name]) => !(hasBody && bodies.has(name))));
}

/** A deep parameter keeps its slashes. */
function fillIn(path: string, values: SamplePath): string {
  return replacePathParameters(path, (name) => {
    const value = String(values[name]);
    return path.includes(`*${name}`) ? encodeURI(value) : encodeURIComponent(value);
  });
}

class ReceivedAnswer implements SampleAnswer {
  readonly status: number;
  readonly text: string;
  readonly #name: string;

  constructor(name: string, { status, text }: { readonly status: number; readonly text: string }) {
    this.status = status;
    this.text = text;
    this.#name = name;
  }

  get(member: string): string | number {
    const value = this.#find(member);
    if (value === undefined) throw new Error(`the answer to ${this.#name} has no ${member}: ${this.text}`);
    return value;
  }

  pathAt(member: string): string {
    return new URL(String(this.get(member)), "http://localhost").pathname;
  }

  /** The value for the path parameter that stands for what was made. */
  valueOf(parameter: string): string | number {
    const names = [parameter, parameter.endsWith("_iid") ? "iid" : "id", "key", "name"];
    const value = names.map((name) => this.#find(name)).find((each) => each !== undefined);
    return value ?? this.get(parameter);
  }

  #find(member: string): string | number | undefined {
    let value: unknown = JSON.parse(this.text);
    for (const name of member.split(".")) {
      value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    }
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  }
}
