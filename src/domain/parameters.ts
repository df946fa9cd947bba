import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Edition } from "./edition.ts";

/**
 * The vocabulary in which operations declare what they take. Plain TypeBox schemas; the options that the reader
 * in `http/params.ts` adds to TypeBox's own are listed in `ParameterOptions` (rest-conventions 2.4 and 3).
 */
export interface ParameterOptions {
  readonly description?: string;
  /** `false`: a blank value of this required parameter is `x is empty`. */
  readonly allowBlank?: boolean;
  /** Values that are refused with `x has a value not allowed`. */
  readonly except?: readonly (string | number)[];
  /** Arrays only: texts are split at commas, their parts trimmed, empty parts dropped. */
  readonly split?: boolean;
  /** Arrays, and texts that hold values between commas: the most of them. Arrays hold a thousand unless said. */
  readonly maxItems?: number;
  /** Integers in a path only: text that is no number makes the path an unknown route instead of a 400. */
  readonly routeOnly?: boolean;
  /** Integers only: a number beyond the safe ones becomes the nearest safe one instead of being invalid. */
  readonly saturate?: boolean;
  /** Deprecated on the wire, still served (rest-conventions 4). */
  readonly deprecated?: boolean;
  /** Texts and enumerations only: an empty value is as good as none. */
  readonly emptyIsAbsent?: boolean;
  /** Lowest edition that knows the parameter; below it, it is ignored whatever its value. */
  readonly tier?: Edition;
  /** Arrays only: below this edition, they hold one value at most. */
  readonly severalFrom?: Edition;
  /** Texts only: an integer, or `none` or `any` in whatever case; passed on as a number or in lower case. */
  readonly integerNoneOrAny?: boolean;
  /** Texts only: a number is a value, too, as a name of the same thing; it is passed on as text. */
  readonly takesNumber?: boolean;
  /** Dates only: of a datetime, the day that is written in it is passed on. */
  readonly takesTime?: boolean;
  /** Hashes, and the parameters of an operation: a key that is not declared is refused, not ignored. */
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
 * Longest text where a declaration says nothing else, in UTF-16 units: names, titles, refs, addresses and tokens. It lies above
 * what services refuse in words of their own (255 characters, of which an emoji is two units).
 */
export const textLengthMax = 1_024;
/** Longest description or message: twice the 1,048,576 characters that services refuse in words of their own. */
const longTextLengthMax = 2_097_152;
/** Longest path of a file, of a group or of a project: that of a request target. */
export const pathLengthMax = 8_192;
/** Longest content of a file. A request holds the whole content in memory, and many run at once. */
const contentLengthMax = 16_777_216;
/** Methods of requests that the server may see. */
export const requestMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export const text = (options: TextOptions = {}) => Type.String({ maxLength: textLengthMax, ...options });
export const longText = (options: TextOptions = {}) => text({ maxLength: longTextLengthMax, ...options });
export const pathText = (options: TextOptions = {}) => text({ maxLength: pathLengthMax, ...options });
export const contentText = (options: TextOptions = {}) => text({ maxLength: contentLengthMax, ...options });
/** An address of the web, of at most 2,048 characters. */
export const url = (options: TextOptions = {}) => text({ maxLength: 2_048, ...options });
/** Longest text of a search, in characters. */
const searchLengthMax = 255;
export const searchText = (description: string) => text({ description, maxLength: searchLengthMax });
export const integer = (options: NumberOptions = {}) => Type.Integer({ ...options });
export const float = (options: NumberOptions = {}) => Type.Number({ ...options });
export const boolean = (options: ParameterOptions = {}) => Type.Boolean({ ...options });
/** Arrives as any ISO 8601 text, is passed on as `2024-10-02T08:11:30.114Z`. */
export const dateTime = (options: ParameterOptions = {}) => Type.String({ ...options, format: "date-time" });
export const date = (options: ParameterOptions = {}) => Type.String({ ...options, format: "date" });
/** A day, which may arrive with a time behind it. */
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
/** A hash with keys of the caller's choice, such as `custom_attributes[k]=v`. */
export const textMap = (options: ParameterOptions = {}) => Type.Record(Type.String(), text(), { ...options });
export const upload = (options: ParameterOptions = {}) =>
  Type.Unsafe<Upload>(Type.Any({ ...options, contentMediaType: "application/octet-stream" }));
/** null, or for anything but text an empty value, clears; it is passed on as null. The options are about the null. */
export const nullable = <T extends TSchema>(
  schema: T,
  ofNull: Pick<ParameterOptions, "deprecated" | "description"> = {},
) => Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null({ ...ofNull })]));
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** The digits of an id in a path; anything else there is an unknown route, and too many digits are an unknown id. */
/** `:id` of a group or project: its number, or its full path with every slash as `%2F` (groups-and-projects 1). */
export const groupId = () =>
  pathText({ description: "number, or full path with %2F for each slash", takesNumber: true });
export const projectId = groupId;
export const idInPath = (description: string) =>
  Type.Integer({ description, routeOnly: true, saturate: true } satisfies ParameterOptions);

/**
 * Rules over several parameters, checked after each of them alone (rest-conventions 3). Members of a hash are named
 * `not[author_id]`.
 */
export type ParameterRule =
  | { readonly rule: "mutually_exclusive"; readonly names: readonly string[] }
  | { readonly rule: "at_least_one"; readonly names: readonly string[] }
  | { readonly rule: "exactly_one"; readonly names: readonly string[] }
  | { readonly rule: "all_or_none"; readonly names: readonly string[] }
  /** The first one makes the others required. */
  | { readonly rule: "needs"; readonly names: readonly string[] };

export const mutuallyExclusive = (...names: string[]): ParameterRule => ({ rule: "mutually_exclusive", names });
export const atLeastOne = (...names: string[]): ParameterRule => ({ rule: "at_least_one", names });
export const exactlyOne = (...names: string[]): ParameterRule => ({ rule: "exactly_one", names });
export const allOrNone = (...names: string[]): ParameterRule => ({ rule: "all_or_none", names });
export const needs = (name: string, ...needed: string[]): ParameterRule => ({
  rule: "needs",
  names: [name, ...needed],
});

/** The typed parameters of an operation that declares `P`. */
export type ParametersOf<P extends TObject> = Static<P>;
