/** The shape that an event must have. */

import { type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { isObject, type JsonObject } from "./documents.ts";
import { unsupported } from "./refusals.ts";

const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = () => maybe(Type.String());
const lines = () => maybe(Type.Array(Type.Unknown()));

const Frame = Type.Object({
  lineno: maybe(Type.Number()),
  in_app: maybe(Type.Boolean()),
  pre_context: lines(),
  post_context: lines(),
  abs_path: text(),
  function: text(),
  filename: text(),
  context_line: text(),
});
const Exceptions = Type.Array(
  Type.Object({
    type: text(),
    value: text(),
    stacktrace: maybe(Type.Object({ frames: maybe(Type.Array(Frame)) })),
  }),
  { minItems: 1 },
);
/** error-tracking C; what it does not name may be anything. */
const Event = Type.Object({
  exception: Type.Union([Exceptions, Type.Object({ values: Exceptions })]),
  environment: text(),
  platform: text(),
  sdk: maybe(Type.Object({})),
});

/** Compiled when the first event comes: most servers collect none. */
export const EventCheck = serviceKey("event-check", () => TypeCompiler.Compile(Event));

/** Throws 400 for what is no event with an exception. */
export function validateEvent(context: Context, payload: unknown): JsonObject {
  if (!isObject(payload) || !context.get(EventCheck).Check(payload)) throw unsupported();
  return payload;
}

/** The exceptions of a checked event, in the sent order: in `values`, or a bare array. */
export function exceptionsOf({ exception }: JsonObject): readonly JsonObject[] {
  return valuesOf(exception);
}

/** Frames of an exception or thread; undefined when it has no stacktrace. */
export function framesOf({ stacktrace }: JsonObject): readonly JsonObject[] | undefined {
  if (!isObject(stacktrace)) return undefined;
  return Array.isArray(stacktrace.frames) ? stacktrace.frames.filter(isObject) : [];
}

/** Objects in `values` of something, or in the array that it is itself. */
export function valuesOf(list: unknown): readonly JsonObject[] {
  const values = isObject(list) ? list.values : list;
  return Array.isArray(values) ? values.filter(isObject) : [];
}
