import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { collections } from "../../../../src/modules/index.ts";
import {
  everyCollection,
  lostReferenceOf,
  type RecordDeclaration,
  recordFault,
  type StoredDocument,
  unknownFields,
  withoutSecrets,
} from "../../../../src/store/index.ts";

const declared = new Map(everyCollection(collections).map((each) => [each.name, each]));

function declarationOf(name: string): RecordDeclaration {
  return declared.get(name) as RecordDeclaration;
}

test("no collection takes an object without fields, or null, as a document", () => {
  for (const [name, { schema }] of declared) {
    expect([name, recordFault(schema, {})]).toEqual([name, expect.stringMatching(/^\w+ is missing$/)]);
    expect(recordFault(schema, null)).toBe("is null; expected an object");
  }
});

const job = {
  ...{ id: 1, kind: "x", state: "queued", due_at: "2027-01-31T09:30:00.000Z", attempts: 0, last_error: null },
  ...{ payload: [1], created_at: "2027-01-31T09:30:00.000Z", updated_at: "2027-01-31T09:30:00.000Z" },
};
const feature = {
  ...{ id: 1, name: "f", boolean: true, actors: ["User:1"], groups: [], percentage_of_actors: 2.5 },
  ...{ percentage_of_time: 0, created_at: job.created_at, updated_at: job.created_at },
};
const group = {
  ...{
    id: 1,
    name: "G",
    path: "g",
    parent_id: null,
    description: "",
    visibility: "public",
    settings: {},
    avatar: null,
  },
  ...{ creator_id: null, runners_token: "t", repository_storage: "default" },
  ...{ created_at: job.created_at, updated_at: job.created_at },
};
const due = { id: 1, due_date: "2027-01-31", last_issue_id: 0 };
const settings = { id: 1, values: {} };

test.each([
  ["background-jobs", {}, undefined, job],
  ["background-jobs", { state: "over" }, 'state is "over"; expected one of queued, running, failed', job],
  ["background-jobs", { last_error: 7 }, "last_error is 7; expected null or text", job],
  ["background-jobs", { attempts: 0.5 }, "attempts is 0.5; expected a whole number", job],
  [
    "background-jobs",
    { due_at: "2027-01-31" },
    'due_at is "2027-01-31"; expected a time as 2027-01-31T09:30:00.000Z',
    job,
  ],
  ["background-jobs", { due_at: "2027-02-30T09:30:00.000Z" }, expect.stringContaining("expected a time as"), job],
  ["background-jobs", { kind: undefined }, "kind is missing", job],
  ["features", {}, undefined, feature],
  ["features", { boolean: "true" }, 'boolean is "true"; expected true or false', feature],
  ["features", { actors: "User:1" }, 'actors is "User:1"; expected a list', feature],
  ["features", { actors: ["a", 7] }, "actors[1] is 7; expected text", feature],
  ["groups", {}, undefined, group],
  ["groups", { settings: { lfs_enabled: true }, is_being_deleted: true }, undefined, group],
  ["groups", { settings: { lfs_enabled: 1 } }, "settings.lfs_enabled is 1; expected true or false", group],
  ["groups", { is_being_deleted: false }, "is_being_deleted is false; expected true", group],
  ["groups", { avatar: { filename: "a.png" } }, "avatar.content_type is missing", group],
  ["groups", { avatar: [] }, "avatar is []; expected null or an object", group],
  ["due-mail-progress", { due_date: "2027-02-30" }, 'due_date is "2027-02-30"; expected a day as 2027-01-31', due],
  ["due-mail-progress", { id: 2 }, "id is 2; expected 1", due],
  ["application-settings", { values: { signup_enabled: true } }, undefined, settings],
  [
    "application-settings",
    { values: { signup_enabled: "on" } },
    'values.signup_enabled is "on"; expected boolean',
    settings,
  ],
] as const)("%s with %j", (collection, change, fault, document) => {
  expect(recordFault(declarationOf(collection).schema, { ...document, ...change })).toEqual(fault as never);
});

test("fields of other versions are reported, not refused", () => {
  expect(recordFault(declarationOf("background-jobs").schema, { ...job, nickname: "x" })).toBeUndefined();
  expect(unknownFields(declarationOf("background-jobs").schema, { ...job, nickname: "x" })).toEqual(["nickname"]);
});

test("every field that a declaration names is in the schema of its collection", () => {
  for (const [name, { schema, secrets, references }] of declared) {
    const named = [...Object.keys(secrets), ...Object.keys(references)];
    expect([name, unknownFields(schema, Object.fromEntries(named.map((field) => [field, 1])))]).toEqual([name, []]);
  }
});

/** Yields the paths of all free texts of a document, such as `values.akismet_api_key`. */
function* textsOf(schema: TSchema, path: readonly string[] = []): Generator<readonly string[]> {
  if (schema.type === "string" && schema.format === undefined) yield path;
  for (const [name, inside] of Object.entries<TSchema>(schema.properties ?? {}))
    yield* textsOf(inside, [...path, name]);
  for (const inside of [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {})]) {
    if (inside !== undefined) yield* textsOf(inside, path);
  }
}

function isDecided({ secrets, isSecret }: RecordDeclaration, [name = "", inside = ""]: readonly string[]): boolean {
  const secret = secrets[name];
  if (typeof secret !== "object" || !("omit" in secret)) return isSecret || secret !== undefined;
  return secret.omit.includes(inside) || secret.public?.includes(inside) === true;
}

test("every text with the name of a secret is declared secret or public", () => {
  const undecided = [...declared.values()].flatMap((each) =>
    [...textsOf(each.schema)]
      .filter((path) => /token|digest|password|secret|key/i.test(path.join(".")) && !isDecided(each, path))
      .map((path) => `${each.name}.${path.join(".")}`),
  );
  expect(undecided).toEqual([]);
});

test("an export without secrets has no key of a service", () => {
  const keys = { akismet_api_key: "a", recaptcha_private_key: "b", spam_check_api_key: "c" };
  const document = { id: 1, values: { ...keys, recaptcha_site_key: "d" } };
  const shown = withoutSecrets(declarationOf("application-settings"), document);
  expect<object>(shown).toEqual({ id: 1, values: { recaptcha_site_key: "d" } });
});

test("every reference leads to a collection, and is chosen by a field of the schema", () => {
  for (const { schema, references } of declared.values()) {
    for (const target of Object.values(references)) {
      const names = typeof target === "string" ? [target] : "of" in target ? Object.values(target.of) : [];
      for (const name of names) expect([...declared.keys()]).toContain(name);
      const choosing = typeof target === "string" ? [] : ["of" in target ? target.by : target.byTypeIn];
      for (const name of choosing) expect(Object.keys(schema.properties)).toContain(name);
    }
  }
});

test("every field that names an owner is a reference", () => {
  const owning = ["project_id", "namespace_id", "source_id", "package_id", "repository_id", "epic_id", "pipeline_id"];
  // Payloads are found by what they are of.
  const loose = [
    "issues.epic_id",
    "package-files.pipeline_id",
    "package-pipelines.pipeline_id",
    "alert-payloads.project_id",
  ];
  const named = [...declared].flatMap(([name, { schema, references }]) =>
    owning
      .filter((field) => field in schema.properties && references[field] === undefined)
      .map((field) => `${name}.${field}`),
  );
  expect(named.sort()).toEqual([...loose, "error-payloads.project_id"].sort());
});

const targets = {
  has: (collection: string, id: number) => id === 1 || collection === "groups",
  collectionOfType: (typeName: string) => [...declared.values()].find((each) => each.typeName === typeName)?.name,
};

test.each([
  ["issues", { project_id: 1, author_id: 1, assignee_ids: [1], closed_by_id: null, milestone_id: 9 }, undefined],
  ["issues", { project_id: 2, author_id: 1, assignee_ids: [] }, { field: "project_id", target: "projects", id: 2 }],
  ["issues", { project_id: 1, assignee_ids: [1, 7, 8] }, { field: "assignee_ids", target: "users", id: 7 }],
  ["labels", { source_type: "group", source_id: 5 }, undefined],
  ["labels", { source_type: "project", source_id: 5 }, { field: "source_id", target: "projects", id: 5 }],
  ["notification-settings", { source_type: "global", source_id: 5, user_id: 1 }, undefined],
  ["projects", { namespace_id: 2 }, { field: "namespace_id", target: "namespaces", id: 2 }],
  ["projects", { namespace_id: 2, is_being_deleted: true }, undefined],
  ["background-jobs", { project_id: 2 }, undefined],
  ["notes", { noteable_type: "Issue", noteable_id: 1, author_id: 1 }, undefined],
  ["notes", { noteable_type: "Epic", noteable_id: 2 }, { field: "noteable_id", target: "epics", id: 2 }],
  ["notes", { noteable_type: "Tree", noteable_id: 2 }, { field: "noteable_id", target: "Tree", id: 2 }],
] as const)("%s: %j lacks %p", (collection, document, lost) => {
  expect(lostReferenceOf(declarationOf(collection), document as unknown as StoredDocument, targets)).toEqual(lost);
});
