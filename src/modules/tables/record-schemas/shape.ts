import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parseCalendarDate, parseDateTime } from "../../../lib/datetime.ts";
import type { CollectionDeclaration, IndexDeclarations, LogDeclaration, StoredDocument } from "../../../store/index.ts";

/** What a value has to be for a `T`: neither more nor less, so that tsc finds a shape that differs from its type. */
export interface Shape<T> {
  /** What is wrong with a value, to stand behind its name: `.provider is missing`, ` is 7; expected text`. undefined: nothing. */
  faultOf(value: unknown): string | undefined;
  /** Never there: ties `T` in both directions. */
  readonly of?: (value: T) => T;
}

/** A field that may be left out. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** A shape for every field of a type. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Shape<T[K]>;
};

type AnyField = Shape<unknown> | Optional<unknown>;

/** The documents of one collection. */
export interface RecordShape {
  readonly collection: string;
  readonly fields: ReadonlySet<string>;
  readonly shape: Shape<StoredDocument>;
}

export function shapeOf<T extends StoredDocument, D extends IndexDeclarations<T>>(
  declared: CollectionDeclaration<T, D> | LogDeclaration<T>,
  fields: NoInfer<Fields<T>>,
): RecordShape {
  const shape = object<T>(fields) as unknown as Shape<StoredDocument>;
  return { collection: declared.name, fields: new Set(Object.keys(fields)), shape };
}

export const text = simple<string>("text", (value) => typeof value === "string");
export const flag = simple<boolean>("true or false", (value) => typeof value === "boolean");
export const whole = simple<number>("a whole number", (value) => Number.isSafeInteger(value));
export const number = simple<number>("a number", (value) => typeof value === "number");
export const moment = simple<string>(
  "a time as 2027-01-31T09:30:00.000Z",
  (value) => typeof value === "string" && parseDateTime(value) === value,
);
export const day = simple<string>(
  "a day as 2027-01-31",
  (value) => typeof value === "string" && parseCalendarDate(value) === value,
);
export const anything: Shape<unknown> = { faultOf: () => undefined };

export function oneOf<const V extends string | number | boolean>(...values: readonly V[]): Shape<V> {
  const wanted = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(", ")}`;
  return simple<V>(wanted, (value) => values.includes(value as V));
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    faultOf(value) {
      const fault = value === null ? undefined : shape.faultOf(value);
      return fault?.replace("; expected ", "; expected null or ");
    },
  };
}

export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return {
    faultOf(value) {
      const fault = one.faultOf(value);
      const otherFault = fault === undefined ? undefined : other.faultOf(value);
      return otherFault === undefined ? undefined : `${fault} or ${otherFault.split("; expected ")[1]}`;
    },
  };
}

/** What a TypeBox schema takes. */
export function matching<S extends TSchema>(schema: S): Shape<Static<S>> {
  return {
    faultOf(value) {
      const error = Value.Errors(schema, value).First();
      return error === undefined
        ? undefined
        : `${error.path.replaceAll("/", ".")} is ${shorten(error.value)}; ${error.message.replace(/^Expected /, "expected ")}`;
    },
  };
}

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

export function listOf<T, L extends readonly T[] = readonly T[]>(shape: Shape<T>): Shape<L> {
  const list = simple<L>("a list", Array.isArray);
  return {
    faultOf(value) {
      const fault = list.faultOf(value);
      if (fault !== undefined) return fault;
      for (const [at, each] of (value as readonly unknown[]).entries()) {
        const inside = shape.faultOf(each);
        if (inside !== undefined) return `[${at}]${inside}`;
      }
      return undefined;
    },
  };
}

/** Any names, and values of one shape. */
export function recordOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    faultOf(value) {
      const fault = anyObject.faultOf(value);
      if (fault !== undefined) return fault;
      for (const [name, each] of Object.entries(value as object)) {
        const inside = shape.faultOf(each);
        if (inside !== undefined) return `.${name}${inside}`;
      }
      return undefined;
    },
  };
}

/** These fields; others are let be, since an earlier version may have had them. */
export function object<T>(fields: NoInfer<Fields<T>>): Shape<T> {
  const all = Object.entries(fields) as [string, AnyField][];
  return {
    faultOf(value) {
      const fault = anyObject.faultOf(value);
      if (fault !== undefined) return fault;
      const given = value as Readonly<Record<string, unknown>>;
      for (const [name, field] of all) {
        const isOptional = "optional" in field;
        if (given[name] === undefined) {
          if (isOptional) continue;
          return `.${name} is missing`;
        }
        const inside = (isOptional ? field.optional : field).faultOf(given[name]);
        if (inside !== undefined) return `.${name}${inside}`;
      }
      return undefined;
    },
  };
}

/** As `object`, and any of the fields may be left out. */
export function partial<T>(fields: NoInfer<Fields<T>>): Shape<Partial<T>> {
  const all = Object.entries(fields) as [string, AnyField][];
  const loose = all.map(([name, field]) => [name, "optional" in field ? field : optional(field)]);
  return object(Object.fromEntries(loose) as Fields<Partial<T>>);
}

const anyObject = simple<object>(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

function simple<T>(wanted: string, isIt: (value: unknown) => boolean): Shape<T> {
  return { faultOf: (value) => (isIt(value) ? undefined : ` is ${shorten(value)}; expected ${wanted}`) };
}

const shownLengthMax = 40;

function shorten(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > shownLengthMax ? `${json.slice(0, shownLengthMax)}…` : json;
}
