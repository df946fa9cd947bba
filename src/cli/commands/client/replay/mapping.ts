/** Field names that mean users. */
const kinds: Readonly<Record<string, string>> = {
  ...{ author: "users", assignee: "users", assignees: "users", owner: "users", creator: "users", member: "users" },
  ...{ members: "users", followers: "users", following: "users", namespace: "groups", namespaces: "groups" },
  ...{ parent: "groups", subgroups: "groups", shared_with_groups: "groups" },
};
/** Resources whose `iid`s each project or group counts. */
const countedWithin = new Set(["issues", "epics"]);
const label = /\[token [^\]]+\]/g;

/** Returns the plural resource name for a field or path segment: `project`, `projects` and `project_id` give `projects`. */
export function kindOf(name: string): string {
  const word = name.replace(/_ids?$/, "");
  return kinds[word] ?? (word.endsWith("s") ? word : `${word}s`);
}

/** Maps ids, digests, tokens and URLs of a recording to those of another server. */
export class Mapping {
  readonly #origins: ReadonlySet<string>;
  readonly #origin: string;
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #tokensOfUsers: ReadonlyMap<string, string>;

  /** `origins` are the origins of the recording; `tokens` are by username. */
  constructor(origins: ReadonlySet<string>, origin: string, tokens: ReadonlyMap<string, string>) {
    this.#origins = origins;
    this.#origin = origin;
    this.#tokensOfUsers = tokens;
  }

  /** Notes the new id for a recorded one. Returns false when another id was noted before. */
  learnId(kind: string, recorded: number, came: number): boolean {
    const key = `${kind} ${recorded}`;
    const known = this.#ids.get(key);
    if (known === undefined) this.#ids.set(key, came);
    return known === undefined || known === came;
  }

  /** Notes the new text for one that the recording's server generated. */
  learnText(recorded: string, came: string): void {
    this.#texts.set(recorded, came);
  }

  idOf(kind: string, recorded: number): number {
    return this.#ids.get(`${kind} ${recorded}`) ?? recorded;
  }

  /** Returns the text with the origin, tokens and digests of the other server. */
  text(recorded: string): string {
    let text = this.#texts.get(recorded) ?? recorded;
    for (const origin of this.#origins) text = text.replaceAll(origin, this.#origin);
    return text.replace(label, (found) => this.#tokenOf(found) ?? found);
  }

  /** Returns the first token in a text without a mapping, such as `[token 12 of mara]`. */
  unknownToken(recorded: string): string | undefined {
    return recorded.match(label)?.find((found) => this.#tokenOf(found) === undefined);
  }

  /** Returns the mapped target of a request. `route` is the recorded pattern, which names the segments. */
  target(url: string, route: string | null | undefined): string {
    const { pathname, search } = new URL(url);
    const parts = pathname.split("/");
    const names = route?.split("/") ?? [];
    const path = parts.map((_, at) => this.#pathPart(parts, at, names[names.length - parts.length + at]));
    const query = search
      .slice(1)
      .split("&")
      .map((pair) => this.#pair(pair));
    return `${path.join("/")}${search === "" ? "" : `?${query.join("&")}`}`;
  }

  /** Returns the mapped body of a request. */
  body(text: string, type: string): string {
    if (type.includes("json")) {
      const value = parse(text);
      return value === undefined ? this.text(text) : JSON.stringify(this.#value("", value));
    }
    if (type.includes("urlencoded")) {
      const pairs = text.split("&").map((pair) => this.#pair(pair));
      return pairs.join("&");
    }
    return this.text(text);
  }

  #pathPart(parts: readonly string[], at: number, name: string | undefined): string {
    const part = decodeURIComponent(parts[at] ?? "");
    const before = parts[at - 1] ?? "";
    if (!/^\d+$/.test(part)) return part === parts[at] ? this.text(part) : encodeURIComponent(this.text(part));
    const isCounted = name?.startsWith(":")
      ? name.endsWith("iid")
      : countedWithin.has(before) && parts.includes("projects");
    return isCounted ? part : String(this.idOf(kindOf(before), Number(part)));
  }

  #pair(pair: string): string {
    const [name = "", value] = pair.split("=", 2);
    if (value === undefined) return pair;
    const plain = decodeURIComponent(value.replaceAll("+", " "));
    const field = /([\w-]+)(?:\[\]|%5B%5D)?\]?$/i.exec(name)?.[1] ?? name;
    return `${name}=${encodeURIComponent(String(this.#value(field, plain)))}`;
  }

  #value(name: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#value(name, each));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#value(key, each)]));
    }
    const isId = /_ids?$/.test(name) && /^\d+$/.test(String(value));
    if (isId) {
      const id = this.idOf(kindOf(name), Number(value));
      return typeof value === "number" ? id : String(id);
    }
    return typeof value === "string" ? this.text(value) : value;
  }

  #tokenOf(found: string): string | undefined {
    const user = /^\[token \d+ of (.+)\]$/.exec(found)?.[1] ?? "";
    return this.#texts.get(found) ?? this.#tokensOfUsers.get(user);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
