import {
  FormatRegistry,
  OptionalKind,
  type Static,
  type TOptional,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { parseCalendarDate, parseDateTime } from "../../lib/datetime.ts";

/** The schema of a stored value. Errors describe the expected value by its `wanted`. */
export type Field<T> = TUnsafe<T>;

type Fields = Readonly<Record<string, TSchema>>;

type OptionalNames<F extends Fields> = { [K in keyof F]: F[K] extends TOptional<TSchema> ? K : never }[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/** The object type of these fields. */
export type ValueOf<F extends Fields> = Flat<
  { readonly [K in keyof F as K extends OptionalNames<F> ? never : K]: Static<F[K]> } & {
    readonly [K in keyof F as K extends OptionalNames<F> ? K : never]?: Static<F[K]>;
  }
>;

export interface ObjectField<F extends Fields> extends TUnsafe<ValueOf<F>> {
  readonly properties: F;
}

/** The schema of the documents of one collection. */
export type RecordSchema = TSchema & { readonly properties: Fields };

/** The TypeScript type of the values of a schema. */
export type RecordOf<S extends TSchema> = Static<S>;

const [moment, day] = ["stored-moment", "stored-day"];
FormatRegistry.Set(moment, (value) => parseDateTime(value) === value);
FormatRegistry.Set(day, (value) => parseCalendarDate(value) === value);

/** Declares the fields of a record. A document may have others, since another version may have written them. */
export function record<const F extends Fields & { readonly id: Field<number> }>(fields: F): ObjectField<F> {
  return object(fields);
}

/** The types that fields of a record may have. */
export const field = {
  text: Type.String({ wanted: "text" }),
  flag: Type.Boolean({ wanted: "true or false" }),
  whole: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    wanted: "a whole number",
  }) as Field<number>,
  number: Type.Number({ wanted: "a number" }),
  /** A `DateTime` string. */
  moment: Type.String({ format: moment, wanted: "a time as 2027-01-31T09:30:00.000Z" }) as TString,
  /** A `CalendarDate` string. */
  day: Type.String({ format: day, wanted: "a day as 2027-01-31" }) as TString,
  anything: Type.Unknown(),
  oneOf,
  nullable,
  either,
  optional,
  listOf,
  mapOf,
  object,
  partial,
} as const;

const nothing = Type.Null();

function oneOf<const V extends string | number | boolean>(...values: readonly V[]): Field<V> {
  const wanted = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(", ")}`;
  const literals = values.map((value) => Type.Literal(value));
  return Type.Union(literals, { wanted }) as unknown as Field<V>;
}

function nullable<S extends TSchema>(schema: S): Field<Static<S> | null> {
  return Type.Union([schema, nothing], { wanted: `null or ${schema.wanted}` }) as unknown as Field<Static<S> | null>;
}

function either<A extends TSchema, B extends TSchema>(one: A, other: B): Field<Static<A> | Static<B>> {
  return Type.Union([one, other], { wanted: `${one.wanted} or ${other.wanted}` }) as unknown as Field<
    Static<A> | Static<B>
  >;
}

/** Makes a field optional. */
function optional<S extends TSchema>(schema: S): TOptional<Field<Static<S>>> {
  return Type.Optional(schema as Field<Static<S>>);
}

function listOf<S extends TSchema>(schema: S): Field<readonly Static<S>[]> {
  return Type.Array(schema, { wanted: "a list" }) as unknown as Field<readonly Static<S>[]>;
}

/** An object with any keys, and values of one schema. */
function mapOf<S extends TSchema>(schema: S): Field<Readonly<Record<string, Static<S>>>> {
  return Type.Record(Type.String(), schema, { wanted: "an object" }) as unknown as Field<
    Readonly<Record<string, Static<S>>>
  >;
}

function object<const F extends Fields>(fields: F): ObjectField<F> {
  return Type.Object(fields, { wanted: "an object" }) as unknown as ObjectField<F>;
}

/** An object whose fields are all optional. */
function partial<F extends Fields>({ properties }: ObjectField<F>): Field<Partial<ValueOf<F>>> {
  const loose = Object.entries(properties).map(([name, schema]) => [
    name,
    OptionalKind in schema ? schema : Type.Optional(schema),
  ]);
  return object(Object.fromEntries(loose)) as unknown as Field<Partial<ValueOf<F>>>;
}
