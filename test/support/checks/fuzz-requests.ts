import { multipartText } from "./fuzz-multipart.ts";
import { FuzzValues, type Schema, type Value } from "./fuzz-values.ts";
import type { Random } from "./random.ts";

/** The parts of the OpenAPI document that the generator reads. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Records made beforehand that requests may name. */
export interface FuzzCast {
  readonly adminToken: string;
  readonly plainToken: string;
  /** Headers of browser sessions of the two, with the CSRF token. */
  readonly sessions: readonly { readonly cookie: string; readonly csrfToken: string }[];
  /** Ids of users and tokens that no write may name: those who ask. */
  readonly protectedIds: ReadonlySet<number>;
  /** Users that anything may happen to. */
  readonly userIds: readonly number[];
  /** Tokens that anything may happen to. */
  readonly tokenIds: readonly number[];
  /** Segment of a path → ids that may stand behind it. */
  readonly places: Readonly<Record<string, PlaceIds>>;
  /** For calls that end the token which they are made with; each is used once. */
  readonly expendableTokens: string[];
}

/** Records that must stay, for all that is below them, and records that requests may change or delete. */
interface PlaceIds {
  readonly kept: readonly number[];
  readonly expendable: readonly number[];
}

export interface FuzzRequest {
  readonly method: string;
  /** `METHOD /path/{id}` of the document, as it was really asked for. */
  readonly operation: string;
  readonly pathId: number | undefined;
  readonly bytes: Buffer;
  /**
   * `whole`: must be answered, and the connection be fit for more. `odd`: no proper HTTP, so that the connection may
   * be closed instead. `cut off`: less is sent than announced, then the client is gone.
   */
  readonly kind: "whole" | "odd" | "cut off";
}

interface Target {
  readonly template: string;
  readonly documented: DocumentedOperation;
  readonly method: string;
}

/** The validity of a request: correct, with one error, or random. */
type Mood = "right" | "one wrong" | "wild";

const otherMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "M-SEARCH"];
const reading = ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "M-SEARCH"];
const commonNames = ["page", "per_page", "pagination", "cursor", "sudo", "order_by", "sort", "search", "id", "user_id"];
const prototypeNames = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "[", "a.b"];
const json = "application/json";
const form = "application/x-www-form-urlencoded";
const contentTypes = [
  ...["image/png", "text/plain", "application/xml", "multipart/form-data", "multipart/form-data; boundary=", "/", ";;"],
  ...[
    "application/json; charset=utf-16",
    "APPLICATION/JSON",
    "application/json,text/plain",
    'a/b; c="',
    "multipart/mixed",
  ],
];
const nastyHeaders = [
  ...["Sudo", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Origin", "Accept", "Range", "Cookie"],
  ...[
    "Accept-Encoding",
    "Access-Control-Request-Method",
    "Access-Control-Request-Headers",
    "Authorization",
    "JOB-TOKEN",
  ],
  ...["X-Forwarded-For", "X-HTTP-Method-Override", "Forwarded", "Content-Encoding", "User-Agent", "Upgrade", "TE"],
];

/** Most things below a project or a group are counted from 1. */
const smallIds = Array.from({ length: 15 }, (_, at) => at + 1);

/** Hundreds of kilobytes that are made anew for each who asks. */
const longPages = ["/-/metrics"];

/** Requests from the document of the API, the same for the same random choices. */
export class FuzzRequests {
  readonly #values: FuzzValues;
  readonly #targets: readonly Target[];
  readonly #unwanted: ReadonlySet<string>;
  readonly #names: readonly string[];
  readonly #cast: FuzzCast;
  readonly #host: string;
  /** Bodies above every limit for JSON: made once. */
  readonly #huge = ["[1", `,${"1".repeat(15)}`.repeat(1_100_000), "]"].join("");
  #made = 0;

  /** Requests for the operations that `isWanted` picks, by `METHOD /path/{id}`. */
  constructor(
    random: Random,
    document: ApiDocument,
    cast: FuzzCast,
    host: string,
    isWanted: (operation: string) => boolean,
  ) {
    this.#values = new FuzzValues(random, document.components.schemas);
    this.#cast = cast;
    this.#host = host;
    const targets = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.entries(item).map(([method, documented]) => ({ template, documented, method: method.toUpperCase() })),
    );
    this.#targets = targets.filter((target) => isWanted(nameOf(target)));
    this.#unwanted = new Set(targets.map(nameOf).filter((name) => !isWanted(name)));
    const declared = this.#targets.flatMap(({ documented }) => [
      ...(documented.parameters ?? []).map(({ name = "x" }) => name),
      ...Object.keys(this.#bodySchema(documented)?.properties ?? {}),
    ]);
    this.#names = [...new Set([...declared, ...commonNames, ...prototypeNames])];
  }

  /** Every operation in turn. */
  next(): FuzzRequest {
    const values = this.#values;
    const target = this.#nextTarget();
    const { template, documented } = target;
    const other = values.chance(0.94) ? target.method : values.pick(otherMethods);
    const method = this.#unwanted.has(nameOf({ method: other, template })) ? target.method : other;
    const isReading = reading.includes(method);
    const mood: Mood = values.chance(0.35) ? "right" : values.chance(0.5) ? "one wrong" : "wild";
    const { path, pathId } = this.#path(template, documented, mood, isReading);
    const isSettingsWrite = template.endsWith("/application/settings") && !isReading;
    const query = this.#query(documented, mood);
    // A value that no setting takes, where nothing comes after it: no limit may be turned on.
    if (isSettingsWrite) query.push("signup_enabled=neither");
    const headers = [`Host: ${this.#host}`, ...this.#credentials(isReading || !template.includes("/self"), query)];
    if (values.chance(mood === "wild" ? 0.3 : 0.05))
      headers.push(`${values.pick(nastyHeaders)}: ${this.#headerText()}`);
    const search = query.length > 0 ? `?${query.join("&")}` : "";
    const body = this.#body(documented, mood, isSettingsWrite, headers);
    const known = this.#targets.find((each) => each.template === template && each.method === method);
    const operation = `${method} ${template}${known === undefined ? " (not declared)" : ""}`;
    return { method, operation, pathId, ...this.#frame(method, path + search, headers, body) };
  }

  /** In turn; what takes the server long in any case only now and then, or there would be time for nothing else. */
  #nextTarget(): Target {
    const target = this.#targets[this.#made++ % this.#targets.length] as Target;
    return longPages.includes(target.template) && this.#values.chance(0.95) ? this.#nextTarget() : target;
  }

  #path(template: string, documented: DocumentedOperation, mood: Mood, isReading: boolean) {
    const values = this.#values;
    let pathId: number | undefined;
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
      const isRight = mood === "right" || values.chance(0.5);
      const schema = documented.parameters?.find((each) => each.name === name)?.schema ?? {};
      const text = isRight ? this.#rightId(template, at, schema, isReading) : values.nastyText() || "x";
      const isProtected = !isReading && this.#cast.protectedIds.has(Number(text));
      const used = isProtected ? "999999999" : text;
      pathId = Number(used);
      return encode(used);
    });
    if (mood !== "wild" || values.chance(0.6)) return { path: filled, pathId };
    const oddities = [
      () => filled.replaceAll("/", "//"),
      () => `${filled}/`,
      () => `${filled}.json`,
      () => `${filled}%`,
      () => `${filled}%zz`,
      () => `${filled}%00`,
      () => `${filled}/%ff%fe`,
      () => `${filled}/${values.nastyText().replaceAll(/[^!-~]|[?#]/g, "x")}`,
      () => filled.replace("/api/v4", "/api/v3"),
      () => filled.replace("/api/v4", "/api/v4/../v4/./"),
      () => filled.toUpperCase(),
      () => `/${"a/".repeat(values.integer(1, 3_000))}`,
      () => `${filled}/${"a".repeat(values.integer(7_000, 20_000))}`,
    ];
    return { path: values.pick(oddities)(), pathId };
  }

  /** An id that exists for the path parameter, chosen by the segment before it. */
  #rightId(template: string, at: number, schema: Schema, isReading: boolean): string {
    const values = this.#values;
    const { userIds, tokenIds, places } = this.#cast;
    const before = template.slice(0, at).split("/").at(-2) ?? "";
    const ofPlace = places[before];
    if (ofPlace !== undefined) {
      const isForItself = /\}(\/(archive|unarchive|transfer|restore|housekeeping))?$/.test(template.slice(at));
      return String(values.pick(isReading || !isForItself ? ofPlace.kept : ofPlace.expendable));
    }
    const ids = before === "users" ? userIds : before.endsWith("tokens") ? tokenIds : smallIds;
    return [schema.type].flat().includes("integer")
      ? String(values.pick(ids))
      : `${values.pick(ids)}${ids === smallIds ? "" : ".svg"}`;
  }

  #query(documented: DocumentedOperation, mood: Mood): string[] {
    const values = this.#values;
    const declared = (documented.parameters ?? []).filter(({ in: place }) => place === "query");
    const given = declared.filter(() => values.chance(3 / Math.max(declared.length, 3)));
    const wrongAt = mood === "one wrong" ? values.integer(0, Math.max(given.length - 1, 0)) : -1;
    const pairs = given.flatMap(({ name = "x", schema = {} }, at) =>
      spell(name, mood === "wild" || at === wrongAt ? values.wrong() : values.right(schema, name)),
    );
    if (mood === "wild") {
      for (let more = values.integer(0, 4); more > 0; more -= 1) {
        const name = values.chance(0.7) ? values.pick(this.#names) : values.nastyText();
        pairs.push(
          `${encode(name)}${values.chance(0.4) ? encode(values.bracket()) : ""}=${encode(values.nastyText())}`,
        );
      }
      if (values.chance(0.1))
        pairs.push(values.pick(["%zz=1", "a=%", "a=%f0%28", "=", "&&&", "%00=%00", "a[%5b]=1", "?", "a=b=c"]));
      if (values.chance(0.01)) pairs.push(Array.from({ length: 600 }, (_, at) => `a[${at}][k]=v`).join("&"));
    }
    return pairs;
  }

  /** The token, in one of the places where tokens are looked for. */
  #credentials(isHarmless: boolean, query: string[]): string[] {
    const values = this.#values;
    const { adminToken, plainToken, sessions, expendableTokens } = this.#cast;
    const who = values.integer(0, 99);
    if (who < 15) return [];
    if (isHarmless && values.chance(0.2)) {
      const { cookie, csrfToken } = values.pick(sessions);
      const isForged = values.chance(0.1);
      return [`Cookie: ${cookie}`, ...(isForged ? [] : [`X-CSRF-Token: ${csrfToken}`])];
    }
    if (who < 18) return [`PRIVATE-TOKEN: ${values.pick(["nonsense", "0", "x".repeat(3_000), "a b", "\xff"])}`];
    const token = !isHarmless ? expendableTokens.pop() : who < 70 ? adminToken : plainToken;
    if (token === undefined) return [];
    const place = values.integer(0, 9);
    if (place === 0) query.unshift(`private_token=${token}`);
    if (place === 1) query.unshift(`access_token=${token}`);
    if (place === 2) return [`Authorization: Bearer ${token}`];
    return place < 2 ? [] : [`PRIVATE-TOKEN: ${token}`];
  }

  #headerText(): string {
    return this.#values.nastyText().replaceAll(/[^\t -~\u00a0-\u00ff]/g, "");
  }

  #bodySchema(documented: DocumentedOperation): Schema | undefined {
    const schema = documented.requestBody?.content[json]?.schema;
    return schema === undefined ? undefined : this.#values.resolve(schema);
  }

  #body(documented: DocumentedOperation, mood: Mood, isSettingsWrite: boolean, headers: string[]): Buffer {
    const values = this.#values;
    const schema = this.#bodySchema(documented);
    if (schema === undefined && !values.chance(mood === "wild" ? 0.2 : 0.02)) return Buffer.alloc(0);
    if (values.chance(0.0003)) {
      headers.push(`Content-Type: ${json}`);
      return Buffer.from(this.#huge);
    }
    const members = this.#members(schema ?? {}, mood).filter(([name]) => !isSettingsWrite || name !== "signup_enabled");
    const kind = values.integer(0, 9);
    if (kind < 6) {
      headers.push(`Content-Type: ${json}`);
      return this.#damaged(jsonText(members), mood);
    }
    if (kind < 8) {
      headers.push(`Content-Type: ${form}`);
      return this.#damaged(members.flatMap(([name, value]) => spell(name, value)).join("&"), mood);
    }
    if (kind === 8) {
      headers.push("Content-Type: multipart/form-data; boundary=x-fuzz");
      return this.#damaged(multipartText(values, members, mood === "wild"), mood);
    }
    if (values.chance(0.8)) headers.push(`Content-Type: ${values.pick(contentTypes)}`);
    return this.#damaged(values.chance(0.5) ? jsonText(members) : values.nastyText(), mood);
  }

  #members({ properties = {}, required = [] }: Schema, mood: Mood): [string, Value][] {
    const values = this.#values;
    const declared = Object.entries(properties).filter(([name]) => required.includes(name) || values.chance(0.2));
    const wrongAt = mood === "one wrong" ? values.integer(0, Math.max(declared.length - 1, 0)) : -1;
    const members = declared.map(([name, schema], at): [string, Value] => [
      name,
      at === wrongAt || (mood === "wild" && values.chance(0.5)) ? values.wrong() : values.right(schema, name),
    ]);
    // One of several that are needed: no schema of the document says so.
    if ("force_random_password" in properties && mood === "right") {
      members.push(["force_random_password", { json: "true", form: [["", "true"]] }]);
    }
    if (mood === "wild") {
      for (let more = values.integer(0, 4); more > 0; more -= 1)
        members.push([values.pick(this.#names), values.wrong()]);
    }
    return members;
  }

  /** Now and then a body ends early, or has bytes that are no text. */
  #damaged(text: string, mood: Mood): Buffer {
    const values = this.#values;
    const bytes = Buffer.from(text);
    if (mood === "right" || values.chance(0.85)) return bytes;
    const at = values.integer(0, bytes.length);
    const rest = bytes.subarray(at);
    const start = bytes.subarray(0, at);
    const oddities = [
      () => start,
      () => Buffer.concat([start, Buffer.from([0xff, 0xfe, 0xc0, 0x80]), rest]),
      () => Buffer.concat([start, Buffer.from([0]), rest]),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      () => Buffer.concat([bytes, bytes]),
      () => Buffer.from(text, "utf16le"),
      () => Buffer.from(values.nastyJson()),
    ];
    return values.pick(oddities)();
  }

  #frame(
    method: string,
    target: string,
    headers: readonly string[],
    body: Buffer,
  ): Pick<FuzzRequest, "bytes" | "kind"> {
    const values = this.#values;
    const fate = values.fraction();
    const start = (more: readonly string[], line = `${method} ${target} HTTP/1.1`) =>
      Buffer.from(`${[line, ...headers, ...more].join("\r\n")}\r\n\r\n`, "latin1");
    const length = `Content-Length: ${body.length}`;
    if (fate < 0.01) {
      const announced = `Content-Length: ${body.length + values.integer(1, 1_000_000)}`;
      return { kind: "cut off", bytes: Buffer.concat([start([announced]), body]) };
    }
    if (fate < 0.015) {
      return {
        kind: "cut off",
        bytes: Buffer.concat([start(["Transfer-Encoding: chunked"]), chunk(body), Buffer.from("ff\r\n")]),
      };
    }
    if (fate < 0.02) {
      const oddities = [
        start([length], `${method} ${target}\xff\xfe HTTP/1.1`),
        start([length], `${method} ${target} x HTTP/1.1`),
        start([length], `${method} ${target}`),
        start([length], `${method} ${target} HTTP/9.9`),
        start([length], `${method}\0 ${target} HTTP/1.1`),
        start([length], `${method} ${target}\0 HTTP/1.1`),
        start(["Content-Length: -1"]),
        start(["Content-Length: 1e3"]),
        start([length, "Content-Length: 7"]),
        start([length, "Transfer-Encoding: chunked"]),
        start(["Transfer-Encoding: gzip, chunked"]),
        start([length, "A header without a colon"]),
        start([length, "X-Nul: a\0b"]),
        start([length, `X-Long: ${"x".repeat(200_000)}`]),
        start([length, ...Array.from({ length: 300 }, (_, at) => `X-${at}: y`)]),
        start(["Content-Length: 99999999999999999999"]),
        start(["Content-Length: 200000000"]),
        start([length], `${method} http://elsewhere.example${target} HTTP/1.1`),
        start([length], `CONNECT ${target} HTTP/1.1`),
      ];
      return { kind: "odd", bytes: Buffer.concat([values.pick(oddities), body]) };
    }
    if (body.length > 0 && fate < 0.06) {
      const cut = values.integer(0, body.length);
      const chunks = [chunk(body.subarray(0, cut)), chunk(body.subarray(cut)), Buffer.from("0\r\n\r\n")];
      return { kind: "whole", bytes: Buffer.concat([start(["Transfer-Encoding: chunked"]), ...chunks]) };
    }
    const isLengthSaid = body.length > 0 || !reading.includes(method) || values.chance(0.1);
    return { kind: "whole", bytes: Buffer.concat([start(isLengthSaid ? [length] : []), body]) };
  }
}

function nameOf({ method, template }: Pick<Target, "method" | "template">): string {
  return `${method} ${template}`;
}

function chunk(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

function spell(name: string, value: Value): string[] {
  return value.form.map(([suffix, text]) => `${encode(name)}${encode(suffix)}=${encode(text)}`);
}

/** Percent escapes, also of what is no proper text. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function jsonText(members: readonly (readonly [string, Value])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value.json}`).join(",")}}`;
}
