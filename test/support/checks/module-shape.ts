import type { ExportedFunction } from "./exported-functions.ts";

/** Verbs that another one stands for. */
const otherVerbs: Readonly<Record<string, string>> = {
  add: "create or insert",
  alter: "update",
  change: "update",
  check: "require or validate",
  drop: "remove",
  edit: "update",
  forget: "delete or remove",
  give: "create",
  make: "create",
  may: "can",
  modify: "update",
  note: "record",
  put: "insert, update or replace",
  reads: "canRead",
  refuse: "require",
  save: "write",
  sees: "canSee",
  set: "update",
  store: "write",
  take: "remove or assign",
  use: "a verb that says for what",
};

/** Names that the API itself has, or in which the word is a noun. */
const exceptions: ReadonlySet<string> = new Set(["addSpentTime", "addToStatistics", "addToStatisticsOf", "changeOf"]);

/** Files that every module names alike; each may have parts: `service-PART.ts`. */
const fileNames =
  /^(?:schema|records|policy|service|present|operations)(?:-[a-z0-9-]+)?\.ts$|^(?:events|index|samples)\.ts$/;

/** The fault in the name of a file, with the rule; undefined where its first line says what the file holds. */
export function fileFault(name: string, text: string): string | undefined {
  if (fileNames.test(name) || /^\/\*\* \S.*\. \*\/\n/.test(text)) return undefined;
  return "a file of another name than schema, records, policy, service, present, operations, events, samples and index, or a part of one, says in a doc comment on its first line what it holds";
}

/** The faults in names and signatures of a file's functions, each with the rule. */
export function functionFaults(functions: readonly ExportedFunction[]): string[] {
  return functions.flatMap((each) =>
    [...nameFaults(each), ...parameterFaults(each), ...presenterFaults(each)].map((rule) => `${each.name}: ${rule}`),
  );
}

function nameFaults({ name, parameters, returns }: ExportedFunction): string[] {
  const verb = /^[a-z]+/.exec(name)?.[0] as string;
  const isInTransaction = parameters[0]?.type === "Transaction";
  const faults: string[] = [];
  const said = otherVerbs[verb];
  if (said !== undefined && !exceptions.has(name)) faults.push(`the verb is not ${verb} but ${said}`);
  switch (verb) {
    case "list":
    case "create":
    case "delete":
      if (isInTransaction) faults.push(`${verb}… begins its own transaction; inside one it is insert… or remove…`);
      break;
    case "insert":
    case "remove":
      if (!isInTransaction)
        faults.push(`${verb}… takes the transaction first; outside of one it is create… or delete…`);
      break;
    case "get":
      if (/\| undefined\b/.test(returns)) faults.push("get… throws where there is nothing; find… may return undefined");
      break;
    case "can":
    case "has":
    case "is":
      if (!/\bboolean\b| is /.test(returns)) faults.push(`${verb}… returns a boolean`);
      break;
    case "require":
      if (returns !== "void" && !returns.startsWith("asserts ")) faults.push("require… throws or returns nothing");
      break;
  }
  return faults;
}

/** The faults of functions in a records file: what it says holds for the stored data alone. */
export function recordFunctionFaults(functions: readonly ExportedFunction[]): string[] {
  const takesMore = ({ parameters }: ExportedFunction) =>
    parameters.some(({ type }) => roleOf(type) !== "other" && type !== "Store");
  return functions
    .filter(takesMore)
    .map(({ name }) => `${name}: a function that takes a transaction, a context or a caller is in a service`);
}

type Role = "transaction" | "context" | "caller" | "other";

function roleOf(type: string): Role {
  if (type === "Transaction") return "transaction";
  if (/^(?:Context|Pick<Context\b.*|Store|AccessPolicy)$/.test(type)) return "context";
  return /^(?:Caller|SignedInCaller)$/.test(type) ? "caller" : "other";
}

function parameterFaults({ name, parameters }: ExportedFunction): string[] {
  if (name.startsWith("present")) return [];
  const roles = parameters.map(({ type }) => roleOf(type));
  const order: readonly Role[] = ["transaction", "context", "caller", "other"];
  const isOrdered = roles.every((role, at) => at === 0 || order.indexOf(roles[at - 1] as Role) <= order.indexOf(role));
  return isOrdered ? [] : ["the first parameters are the transaction, the context, the caller, in this order"];
}

/** Presenters of parts of an answer; the schema that has the part is in a module above, or is made for each kind. */
const partPresenters: ReadonlySet<string> = new Set([
  "presentArtifacts",
  "presentAssociatedGroup",
  "presentAssociatedProject",
  "presentCustomAttributes",
  "presentLabels",
  "presentMove",
  "presentProjectIdentity",
  "presentSharedWithGroups",
  "presentTakers",
]);

function presenterFaults({ name, parameters, returns }: ExportedFunction): string[] {
  if (!/^present[A-Z]/.test(name)) return [];
  const faults: string[] = [];
  const [, view] = parameters;
  if (parameters.length === 0 || parameters.length > 3 || (view !== undefined && !isView(view.type))) {
    faults.push("present… takes the record, the view, and other options in one object");
  }
  if (!/^Static<typeof [\w.]+>/.test(returns) && !partPresenters.has(name)) {
    faults.push("present… returns Static<typeof …> of the schema of its answer");
  }
  return faults;
}

/** A view, the part of it that the presenter needs, or one that the module has extended. */
function isView(type: string): boolean {
  return /^(?:\w*View|Pick<View, .*>)$/.test(type);
}
