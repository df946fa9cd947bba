import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Edition } from "./edition.ts";

/**
 * The options that the reader in `http/params.ts` adds to plain TypeBox schemas of parameters (rest-conventions 2.4 and 3).
 */
export interface ParameterOptions {
  readonly description?: string;
  /** `false`: a blank value of a required parameter is the error `x is empty`. */
  readonly allowBlank?: boolean;
  /** Values that cause the error `x has a value not allowed`. */
  readonly except?: readonly (string | number)[];
  /** Arrays only: a text is split at commas, its parts are trimmed, and empty ones are dropped. */
  readonly split?: boolean;
  /** Arrays and comma-separated texts: the largest number of items. Default for arrays: 1,000. */
  readonly maxItems?: number;
  /** Integers in a path only: any other text is an unknown route instead of a 400. */
  readonly routeOnly?: boolean;
  /** Integers only: a number beyond the safe ones becomes the nearest safe one. */
  readonly saturate?: boolean;
  /** Deprecated in the API, but still served (rest-conventions 4). */
  readonly deprecated?: boolean;
  /** Texts and enumerations only: an empty value counts as absent. */
  readonly emptyIsAbsent?: boolean;
  /** The lowest edition with the parameter. Lower ones ignore it. */
  readonly tier?: Edition;
  /** Arrays only: lower editions allow at most one value. */
  readonly severalFrom?: Edition;
  /** Texts only: an integer, or `none` or `any` in any case. The operation gets a number or lower case. */
  readonly integerNoneOrAny?: boolean;
  /** Texts only: a number is allowed too, as another name of the same resource. The operation gets it as text. */
  readonly takesNumber?: boolean;
  /** Dates only: a datetime is allowed too. The operation gets its day as written. */
  readonly takesTime?: boolean;
  /** Hashes, and the parameters of an operation: an undeclared key is an error instead of ignored. */
  readonly refusesUnknown?: boolean;
}

/** A file part of a multipart body. */
export interface Upload {
  /** At most 1,024 UTF-16 units. */
  readonly filename: string;
  readonly bytes: Uint8Array;
}

type TextOptions = ParameterOptions & {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
};
type NumberOptions = ParameterOptions & { readonly minimum?: number; readonly maximum?: number };

/**
 * The default maximum length of texts, in UTF-16 units: names, titles, refs, addresses and tokens. It is above 255
 * characters (an emoji has two units), for which services have their own errors.
 */
export const textLengthMax = 1_024;
/** The maximum length of descriptions and messages: twice 1,048,576 characters, for which services have their own errors. */
const longTextLengthMax = 2_097_152;
/** The maximum length of the path of a file, group or project: that of a request target. */
export const pathLengthMax = 8_192;
/** The maximum length of a file's content. A request holds it in memory, and many requests run at once. */
const contentLengthMax = 16_777_216;
/** The request methods that the server may get. */
export const requestMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export const text = (options: TextOptions = {}) => Type.String({ maxLength: textLengthMax, ...options });
export const longText = (options: TextOptions = {}) => text({ maxLength: longTextLengthMax, ...options });
export const pathText = (options: TextOptions = {}) => text({ maxLength: pathLengthMax, ...options });
export const contentText = (options: TextOptions = {}) => text({ maxLength: contentLengthMax, ...options });
/** A URL of at most 2,048 characters. */
export const url = (options: TextOptions = {}) => text({ maxLength: 2_048, ...options });
/** The maximum length of a search text, in characters. */
const searchLengthMax = 255;
export const searchText = (description: string) => text({ description, maxLength: searchLengthMax });
export const integer = (options: NumberOptions = {}) => Type.Integer({ ...options });
export const float = (options: NumberOptions = {}) => Type.Number({ ...options });
export const boolean = (options: ParameterOptions = {}) => Type.Boolean({ ...options });
/** Accepts any ISO 8601 text. The operation gets it in the form `2024-10-02T08:11:30.114Z`. */
export const dateTime = (options: ParameterOptions = {}) => Type.String({ ...options, format: "date-time" });
export const date = (options: ParameterOptions = {}) => Type.String({ ...options, format: "date" });
/** A day, which may have a time after it. */
export const writtenDate = (options: ParameterOptions = {}) => date({ takesTime: true, ...options });
export const oneOf = <const V extends readonly (string | number)[]>(values: V, options: ParameterOptions = {}) =>
  Type.Unsafe<V[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { ...options },
    ),
  );
export const integerNoneOrAny = (options: ParameterOptions = {}) =>
  Type.Unsafe<number | "none" | "any">(
    Type.String({ description: "an integer, None, or Any", ...options, integerNoneOrAny: true, emptyIsAbsent: true }),
  );
export const list = <T extends TSchema>(items: T, options: ParameterOptions = {}) => Type.Array(items, { ...options });
export const hash = <T extends TProperties>(properties: T, options: ParameterOptions = {}) =>
  Type.Object(properties, { ...options });
/** A hash with any keys, such as `custom_attributes[k]=v`. */
export const textMap = (options: ParameterOptions = {}) => Type.Record(Type.String(), text(), { ...options });
export const upload = (options: ParameterOptions = {}) =>
  Type.Unsafe<Upload>(Type.Any({ ...options, contentMediaType: "application/octet-stream" }));
/**
 * Accepts null, and an empty value for anything but texts, which the operation gets as null. The options are those of the
 * null.
 */
export const nullable = <T extends TSchema>(
  schema: T,
  ofNull: Pick<ParameterOptions, "deprecated" | "description"> = {},
) => Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null({ ...ofNull })]));
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** `:id` of a group or project: its number, or its full path with every slash as `%2F` (groups-and-projects 1). */
export const groupId = () =>
  pathText({ description: "number, or full path with %2F for each slash", takesNumber: true });
export const projectId = groupId;
/** An id in a path. Other texts are an unknown route, and too many digits an unknown id. */
export const idInPath = (description: string) =>
  Type.Integer({ description, routeOnly: true, saturate: true } satisfies ParameterOptions);

/**
 * Rules over several parameters, checked after each parameter alone (rest-conventions 3). Members of a hash have names such
 * as `not[author_id]`.
 */
export type ParameterRule =
  | { readonly rule: "mutually_exclusive"; readonly names: readonly string[] }
  | { readonly rule: "at_least_one"; readonly names: readonly string[] }
  | { readonly rule: "exactly_one"; readonly names: readonly string[] }
  | { readonly rule: "all_or_none"; readonly names: readonly string[] }
  /** The first parameter makes the others required. */
  | { readonly rule: "needs"; readonly names: readonly string[] };

export const mutuallyExclusive = (...names: string[]): ParameterRule => ({ rule: "mutually_exclusive", names });
export const atLeastOne = (...names: string[]): ParameterRule => ({ rule: "at_least_one", names });
export const exactlyOne = (...names: string[]): ParameterRule => ({ rule: "exactly_one", names });
export const allOrNone = (...names: string[]): ParameterRule => ({ rule: "all_or_none", names });
export const needs = (name: string, ...needed: string[]): ParameterRule => ({
  rule: "needs",
  names: [name, ...needed],
});

/** The parameter types of an operation that declares `P`. */
export type ParametersOf<P extends TObject> = Static<P>;
