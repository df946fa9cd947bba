export { type NamespaceRecord, namespaces } from "./collection.ts";
export { createPersonalNamespace, findNamespaceByPath } from "./service.ts";
