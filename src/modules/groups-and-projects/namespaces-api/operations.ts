import { mapPage } from "../../../domain/page.ts";
import { ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentNamespace } from "./present.ts";
import { GetNamespace, ListNamespaces, Namespace, NamespaceExistence, NamespaceExists } from "./schema.ts";
import { getExistence, getNamespace } from "./service.ts";
import { listNamespaces } from "./service-list.ts";

export const namespaceOperations = [
  operation({
    method: "GET",
    path: "/namespaces",
    summary: "List namespaces",
    who: "signed_in",
    params: ListNamespaces,
    answer: pageOf(Namespace),
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listNamespaces(context, caller, params, page), (namespace) => presentNamespace(namespace, call));
    },
  }),

  operation({
    method: "GET",
    path: "/namespaces/:id",
    summary: "Get a namespace",
    who: "signed_in",
    params: GetNamespace,
    answer: ok(Namespace),
    handle(call) {
      const { context, caller, params } = call;
      return presentNamespace(getNamespace(context, caller, params.id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/namespaces/:path/exists",
    summary: "Check whether a namespace exists, with suggestions",
    who: "signed_in",
    params: NamespaceExists,
    answer: ok(NamespaceExistence),
    handle({ context, caller, params }) {
      return getExistence(context, caller, params);
    },
  }),
];
