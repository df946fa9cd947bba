import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import { Failure } from "../../domain/failure.ts";
import type { PageRequest } from "../../domain/page.ts";
import { integer, optional, pathText, text } from "../../domain/parameters.ts";
import type { KeysetSupport } from "../../modules/kernel/operation.ts";
import { refuseParameters } from "../params/refusals.ts";
import { decodeCursor, type KeysetOrder } from "./cursor.ts";

const perPageDefault = 20;
const perPageMax = 100;
/** The largest `page * per_page` of an offset page, where a list has a limit (rest-conventions 7.2). */
const offsetMaxDefault = 50_000;

/**
 * The parameter that continues a keyset list: `cursor`, its other name `page_token`, or the filters `id_after` and
 * `id_before`.
 */
export type Continuation = "cursor" | "page_token" | "id";

/** The declarations of an operation's answer that matter for paging. */
export interface PagedAnswer {
  readonly keyset?: KeysetSupport & { readonly continuation?: Continuation };
  readonly deepestOffsetOf?: string;
}

/** The requested page, and what the `Link` of a keyset page needs. */
export interface Paging {
  readonly request: PageRequest;
  readonly keyset?: { readonly order: KeysetOrder; readonly continuation: Continuation };
}

const offsetParameters: TProperties = {
  page: optional(integer({ saturate: true, description: "Page to return, from 1" })),
  per_page: optional(integer({ saturate: true, except: [0], description: "Items on a page, at most 100" })),
};
const keysetParameter: TProperties = {
  pagination: optional(text({ description: "`keyset` for keyset pages" })),
};
const start = () =>
  optional(pathText({ description: "Where a keyset page starts, from the `Link` of the page before" }));

/** Adds the paging parameters to a list operation's declaration, so that one answer has all errors. */
export function withPageParameters(schema: TObject, answer: PagedAnswer): TObject {
  const keyset = answer.keyset === undefined ? {} : { ...keysetParameter, [startName(answer.keyset)]: start() };
  const paging: TProperties = { ...offsetParameters, ...keyset };
  const undeclared = Object.entries(paging).filter(([name]) => !(name in schema.properties));
  return Type.Object({ ...schema.properties, ...Object.fromEntries(undeclared) });
}

/** Returns the name of the parameter with the start of a page. Lists that continue by id accept it without effect. */
function startName({ continuation }: NonNullable<PagedAnswer["keyset"]>): "cursor" | "page_token" {
  return continuation === "page_token" ? "page_token" : "cursor";
}

/**
 * Returns the requested page for the checked parameters (rest-conventions 7). `offsetMax` is the plan limit, 0 for none.
 * Throws `not_allowed` for an offset that is too large or an order without keyset paging, `parameters` for an invalid
 * cursor.
 */
export function readPaging(
  answer: PagedAnswer,
  params: Readonly<Record<string, unknown>>,
  offsetMax = offsetMaxDefault,
): Paging {
  const perPageGiven = readNumber(params.per_page, perPageDefault);
  const perPageWanted = perPageGiven < 1 ? perPageDefault : perPageGiven;
  const perPage = Math.min(perPageWanted, perPageMax);
  const isKeyset = answer.keyset?.isAlways === true || params.pagination === "keyset";
  if (answer.keyset !== undefined && isKeyset) return readKeyset(answer.keyset, params, perPage);
  const page = Math.max(1, readNumber(params.page, 1));
  if (answer.deepestOffsetOf !== undefined && offsetMax > 0 && page * perPageWanted > offsetMax) {
    throw offsetTooDeep(answer.deepestOffsetOf, offsetMax);
  }
  return { request: { kind: "offset", page, perPage } };
}

function readKeyset(
  support: NonNullable<PagedAnswer["keyset"]>,
  params: Readonly<Record<string, unknown>>,
  perPage: number,
): Paging {
  const order = readOrder(support, params);
  const continuation = support.continuation ?? "cursor";
  const cursor = continuation === "id" ? undefined : params[startName(support)];
  if (typeof cursor !== "string" || cursor === "") {
    return { request: { kind: "keyset", after: undefined, perPage }, keyset: { order, continuation } };
  }
  const after = decodeCursor(order, cursor) ?? (continuation === "page_token" ? { key: cursor, id: 0 } : undefined);
  if (after === undefined) throw refuseParameters(`${startName(support)} is invalid`);
  return { request: { kind: "keyset", after, perPage }, keyset: { order, continuation } };
}

function readOrder(support: KeysetSupport, params: Readonly<Record<string, unknown>>): KeysetOrder {
  const orderBy = params.order_by ?? support.defaults.orderBy;
  const wanted = params.sort ?? support.defaults.sort;
  const supported = support.orders.find((order) => order.orderBy === orderBy);
  const sort = supported?.sort.find((direction) => direction === wanted);
  if (supported === undefined || sort === undefined) {
    throw new Failure("not_allowed", { error: "Keyset pagination is not yet available for this type of request" });
  }
  return { orderBy: supported.orderBy, sort };
}

function readNumber(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function offsetTooDeep(recordType: string, offsetMax: number): Failure {
  return new Failure("not_allowed", {
    error:
      `Offset pagination has a maximum allowed offset of ${offsetMax} for requests that return objects of type ` +
      `${recordType}. Remaining records can be retrieved using keyset pagination.`,
  });
}
