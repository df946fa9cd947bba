import type { Random } from "./random.ts";

/** A JSON schema of the OpenAPI document, as far as values are made from it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** One value in both spellings: JSON text, and what stands behind the name in queries and forms. */
export interface Value {
  readonly json: string;
  readonly form: readonly (readonly [suffix: string, text: string])[];
}

/** Texts that somebody somewhere takes for something else. */
const nastyTexts = [
  ...["", " ", "null", "undefined", "NaN", "true", "0", "-0", "-1", "1e999", "1.5", "0x10", "1_000", "[]", "{}"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\u202e",
    "\ufeff",
    "\u2028",
    "İ",
    "ﬁ",
    "🙂".repeat(70),
    "e\u0301",
    "\r\nX: y",
  ],
  ...[
    "%00",
    "%",
    "%zz",
    "%f0%28",
    "../..",
    "..%2f..",
    "<script>",
    "'\"",
    "\\",
    "/",
    "?",
    "#",
    "&",
    "=",
    ";",
    ",",
    ",,",
    "+",
  ],
  ...["9".repeat(400), "9007199254740993", "-9223372036854775809", "2147483648", "a".repeat(300), "a".repeat(5_000)],
  ...["2027-02-30", "2027-13-01", "9999-12-31", "0000-00-00", "2027-01-01T25:00:00Z", "-271821-04-20", "+275760-09-13"],
  ...[
    "2027-01-01T00:00:00+99:99",
    "a@",
    "@b",
    "a@b@c",
    "http://",
    "javascript:alert(1)",
    "(a+)+$",
    "a,b,c,".repeat(500),
  ],
];

/** JSON texts that `JSON.stringify` would not write. */
const nastyJson = [
  ...["null", "true", "false", "0", "-0", "-1", "1.5", "1e308", "1e999", "-1e999", "9007199254740993", "1E400"],
  ...[
    '""',
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    '{"":""}',
    '"\\u0000"',
    '"\\ud800"',
    '["\\ud800",1,null]',
    '{"a":{"b":[{}]}}',
  ],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":1,"valueOf":1}'],
  ...['{"length":-1}', '{"then":1}', '{"toJSON":1}', '{"0":"a","1":"b"}', '{"a":1,"a":2}', '{"hasOwnProperty":null}'],
  ...["[1,2,3]", '["api","api"]', '[{"k":"v"},"x",1]'],
];

/** As `nastyJson`, but long: each is made once. */
const longJson = [
  `${"[".repeat(40)}${"]".repeat(40)}`,
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `${'{"a":'.repeat(33)}1${"}".repeat(33)}`,
  `${'{"a":['.repeat(3_000)}1${"]}".repeat(3_000)}`,
  `"${"\\u0061".repeat(4_000)}"`,
  `"${"x".repeat(60_000)}"`,
  `[${Array(2_000).fill("1").join(",")}]`,
  `{${Array.from({ length: 1_500 }, (_, at) => `"k${at}":${at}`).join(",")}}`,
];

/** Suffixes of a name: right ones for an array or a hash, and abuse. */
const brackets = [
  ...["[]", "[0]", "[a]", "[][a]", "[0][a]", "[a][]", "[a][b][c]", "[99999999999]", "[-1]", "[1e9]", "[__proto__]"],
  ...[
    "[constructor][prototype][x]",
    "[",
    "]",
    "[[",
    "]]",
    "[]]",
    "[[]",
    "[a",
    "a]",
    "[]x",
    "[][][][]",
    "[\0]",
    "[%5B]",
  ],
  ...["[a]".repeat(40), "[]".repeat(100), "[".repeat(200), "[a][0]".repeat(20)],
];

/** Values of every kind, made from schemas by one stream of random choices. */
export class FuzzValues {
  readonly #random: Random;
  readonly #schemas: Readonly<Record<string, Schema>>;
  #count = 0;

  constructor(random: Random, schemas: Readonly<Record<string, Schema>>) {
    this.#random = random;
    this.#schemas = schemas;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.#random.integer(0, from.length - 1)] as T;
  }

  fraction(): number {
    return this.#random.fraction();
  }

  chance(probability: number): boolean {
    return this.#random.fraction() < probability;
  }

  integer(from: number, to: number): number {
    return this.#random.integer(from, to);
  }

  nastyText(): string {
    return this.chance(0.8) ? this.pick(nastyTexts) : this.#random.text(this.integer(0, 60));
  }

  nastyJson(): string {
    if (this.chance(0.02)) return this.pick(longJson);
    return this.chance(0.6) ? this.pick(nastyJson) : JSON.stringify(this.nastyText());
  }

  bracket(): string {
    return this.pick(brackets);
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : this.resolve(this.#schemas[name] ?? {});
  }

  /** A value that fits the schema; `name` helps with addresses and with names that must be new. */
  right(given: Schema, name = ""): Value {
    const schema = this.resolve(given);
    if (schema.anyOf !== undefined) return this.right(schema.anyOf[0] ?? {}, name);
    if (schema.enum !== undefined) return scalar(this.pick(schema.enum));
    const type = typeof schema.type === "object" ? schema.type[0] : schema.type;
    switch (type) {
      case "integer":
      case "number": {
        const least = schema.minimum ?? 1;
        return scalar(this.integer(least, Math.min(schema.maximum ?? least + 100, least + 100)));
      }
      case "boolean":
        return scalar(this.chance(0.5));
      case "array": {
        const items = Array.from({ length: this.integer(1, 3) }, () => this.right(schema.items ?? {}));
        const form = items.flatMap((item) => item.form.map(([suffix, text]) => [`[]${suffix}`, text] as const));
        return { json: `[${items.map(({ json }) => json).join(",")}]`, form };
      }
      case "string":
        return scalar(this.#text(schema, name));
      default:
        return this.#members(schema);
    }
  }

  /** Anything: what the schema says is not looked at. */
  wrong(): Value {
    const text = this.nastyText();
    const suffix = this.chance(0.2) ? this.bracket() : "";
    return { json: this.nastyJson(), form: [[suffix, text]] };
  }

  #text({ format, maxLength }: Schema, name: string): string {
    this.#count += 1;
    if (name === "email") return `fuzz${this.#count}@fuzz.example`;
    if (name === "username") return `fuzz${this.#count}`;
    // A password that is taken costs a hash on purpose: a few of them will do.
    if (name === "password") return this.chance(0.05) ? "correct horse battery" : "short";
    if (format === "date-time") return "2026-10-02T08:11:30.114Z";
    if (format === "date") return new Date(Date.now() + this.integer(2, 300) * 864e5).toISOString().slice(0, 10);
    return this.#random.text(this.integer(1, Math.min(maxLength ?? 24, 24))).trim() || "x";
  }

  #members({ properties = {}, required = [], additionalProperties }: Schema): Value {
    const members = Object.entries(properties)
      .filter(([name]) => required.includes(name) || this.chance(0.3))
      .map(([name, member]) => [name, this.right(member, name)] as const);
    if (additionalProperties !== undefined) members.push(["k", this.right(additionalProperties)]);
    return {
      json: `{${members.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join(",")}}`,
      form: members.flatMap(([name, { form }]) => form.map(([suffix, text]) => [`[${name}]${suffix}`, text] as const)),
    };
  }
}

function scalar(value: string | number | boolean | null): Value {
  return { json: JSON.stringify(value), form: [["", value === null ? "" : String(value)]] };
}
