import { Type } from "@sinclair/typebox";
import { idInPath, integer, oneOf, optional, text } from "../../../domain/parameters.ts";

/** A kind of documents in the store. */
export const DataCollection = Type.Object(
  {
    name: Type.String(),
    kind: oneOf(["documents", "log"], { description: "entries of a log are never changed" }),
    documents: Type.Integer({ description: "number of its documents or entries" }),
    bytes: Type.Integer({ description: "of its files on the disk; the newest changes are in the journal only" }),
    is_secret: Type.Boolean({ description: "its documents are not shown" }),
  },
  { $id: "DataCollection" },
);

/** A document in a list. */
export const DataEntry = Type.Object(
  {
    id: Type.Integer(),
    label: Type.Union([Type.String(), Type.Null()], { description: "its name, title or path; null: it has none" }),
  },
  { $id: "DataEntry" },
);

/** A document as the store has it, but for what gives access to anything. */
export const DataDocument = Type.Object(
  {
    collection: Type.String({ description: "the `name` of its collection" }),
    id: Type.Integer(),
    hidden: Type.Array(Type.String(), { description: "fields that are left out or changed, since they are secret" }),
    document: Type.Record(Type.String(), Type.Unknown(), { description: "its fields" }),
  },
  { $id: "DataDocument" },
);

const collection = text({ maxLength: 100, description: "the `name` of a collection" });

export const ListDataEntries = Type.Object({
  collection,
  from_id: optional(integer({ minimum: 0, description: "ids from this one on" })),
});

export const OneDataDocument = Type.Object({ collection, id: idInPath("the id of the document") });
