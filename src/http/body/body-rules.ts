import type { TSchema } from "@sinclair/typebox";
import { Failure, unauthenticated } from "../../domain/failure.ts";
import { networkOf } from "../../lib/ip-address.ts";
import type { Context } from "../../modules/kernel/context.ts";
import { isAnonymousWelcome, type Operation } from "../../modules/kernel/operation.ts";
import type { RequestHead } from "../../modules/kernel/raw-request.ts";
import { hasGoodToken, identifyCaller } from "../auth/caller.ts";
import type { RequestContext } from "../entry/request-context.ts";
import type { Sender } from "../limits/sender.ts";
import { textCharactersMax } from "../params/parameter-limits.ts";
import { alternativesOf } from "../params/schema-introspection.ts";
import type { PathValues, RawValues } from "../params/values.ts";
import { type BodyRule, bodyBytesMax, entityTooLarge, longTextBytesMax, textBytesMax } from "./body.ts";

/** The largest bodies of an operation other than JSON. */
export type BodySizes = Pick<BodyRule, "formBytesMax" | "multipartBytesMax">;

/** The maximum length of a description or message: two UTF-16 units per character. */
const longTextLengthMax = 2 * textCharactersMax;

/**
 * Returns the largest sizes. Files come in multipart bodies; the text of a file, which is longer than any description, comes
 * in any form.
 */
export function bodySizesOf({ params }: Operation): BodySizes {
  const takesLongText = someText(params, ({ maxLength }) => maxLength > longTextLengthMax);
  const takesFile = someText(params, ({ contentMediaType }) => contentMediaType !== undefined);
  return {
    formBytesMax: takesLongText ? longTextBytesMax : textBytesMax,
    multipartBytesMax: takesLongText || takesFile ? bodyBytesMax : textBytesMax,
  };
}

function someText(schema: TSchema, holds: (schema: TSchema) => boolean): boolean {
  return alternativesOf(schema).some((each) => {
    const members: TSchema[] = each.type === "array" ? [each.items] : Object.values(each.properties ?? {});
    return holds(each) || members.some((member) => someText(member, holds));
  });
}

/** The head of a request and what the server knows about it. */
export interface Head {
  readonly requestContext: RequestContext;
  readonly operation: Operation;
  readonly path: PathValues;
  readonly query: RawValues;
}

/** Returns the sender of the body, from the head of the request. */
export function senderOf(context: Context, head: Head): Sender {
  const { requestContext, operation } = head;
  let isStranger: boolean | undefined;
  return {
    load: requestContext.load,
    get address() {
      const address = requestContext.ipAddress();
      return address === null ? undefined : networkOf(address);
    },
    // Computed only for large bodies, and for those that take long to arrive.
    get isStranger() {
      isStranger ??= !isKnownSender(context, head);
      return isStranger;
    },
    clock: context.sandbox?.clock.real ?? context.clock,
    // Parameters are read outside of the gate.
    gate: typeof operation.body === "object" ? context.sandbox?.gate : undefined,
    onAnswered: (end) => {
      requestContext.onAnswered = end;
    },
  };
}

function isKnownSender(context: Context, head: Head): boolean {
  const { requestContext, operation, query } = head;
  const { http } = operation;
  if (http?.isReceiver !== true && hasGoodToken(context, requestContext.request, query, operation)) return true;
  return http?.knowsSender?.(context, shown(head)) === true;
}

/**
 * Returns the error for an anonymous client that sends a large body: about the missing token if the operation needs one,
 * else about the size.
 */
export function strangersRefusal(context: Context, head: Head): Failure {
  const { requestContext, operation, query } = head;
  try {
    operation.http?.refuseStranger?.(context, shown(head));
    identifyCaller(context, requestContext, query, operation);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  const isOpen = isAnonymousWelcome(operation.who) && operation.takesJobToken !== "itself";
  return isOpen ? entityTooLarge() : unauthenticated();
}

function shown({ requestContext, path, query }: Head): RequestHead {
  return { header: (name) => requestContext.request.headers.get(name), path, query };
}
