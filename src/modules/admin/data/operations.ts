import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentDataEntry } from "./present.ts";
import { DataCollection, DataDocument, DataEntry, ListDataEntries, OneDataDocument } from "./schema.ts";
import { getDocument, listCollections, listDocuments } from "./service.ts";

/** The documents of the store, to read (console 2). */
export const dataOperations = [
  operation({
    method: "GET",
    path: "/-/data",
    root: true,
    summary: "List the collections of the store with their sizes",
    who: "administrator",
    params: Type.Object({}),
    answer: ok(Type.Array(DataCollection)),
    handle: ({ context }) => listCollections(context),
  }),

  operation({
    method: "GET",
    path: "/-/data/:collection",
    root: true,
    summary: "List the documents of a collection by id",
    who: "administrator",
    params: ListDataEntries,
    answer: pageOf(DataEntry, {
      keyset: { orders: [{ orderBy: "id", sort: ["asc"] }], defaults: { orderBy: "id", sort: "asc" }, isAlways: true },
    }),
    failures: ["not_found"],
    handle({ context, params: { collection, from_id = 0 }, page }) {
      return mapPage(listDocuments(context, collection, from_id, page), presentDataEntry);
    },
  }),

  operation({
    method: "GET",
    path: "/-/data/:collection/:id",
    root: true,
    summary: "Get a document without its secrets",
    who: "administrator",
    params: OneDataDocument,
    answer: ok(DataDocument),
    failures: ["not_found"],
    handle({ context, params: { collection, id } }) {
      return { collection, id, ...getDocument(context, collection, id) };
    },
  }),
];
