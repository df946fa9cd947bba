import { expect, test } from "bun:test";
import { collections } from "../../../src/modules/index.ts";
import {
  faultOfDocument,
  lostReferenceOf,
  references,
  unknownFieldsOf,
} from "../../../src/modules/tables/record-schemas/index.ts";
import { everyCollection } from "../../../src/store/index.ts";

test("every collection has a shape, and nothing is a document of none of them", () => {
  for (const { name } of everyCollection(collections)) {
    expect([name, faultOfDocument(name, {})]).toEqual([name, expect.stringMatching(/^\w+ is missing$/)]);
    expect(faultOfDocument(name, null)).toBe("is null; expected an object");
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
  ["jobs", {}, undefined, job],
  ["jobs", { state: "over" }, 'state is "over"; expected one of queued, running, failed', job],
  ["jobs", { last_error: 7 }, "last_error is 7; expected null or text", job],
  ["jobs", { attempts: 0.5 }, "attempts is 0.5; expected a whole number", job],
  ["jobs", { due_at: "2027-01-31" }, 'due_at is "2027-01-31"; expected a time as 2027-01-31T09:30:00.000Z', job],
  ["jobs", { due_at: "2027-02-30T09:30:00.000Z" }, expect.stringContaining("expected a time as"), job],
  ["jobs", { kind: undefined }, "kind is missing", job],
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
  ["due-mails", { due_date: "2027-02-30" }, 'due_date is "2027-02-30"; expected a day as 2027-01-31', due],
  ["due-mails", { id: 2 }, "id is 2; expected 1", due],
  ["application-settings", { values: { signup_enabled: true } }, undefined, settings],
  [
    "application-settings",
    { values: { signup_enabled: "on" } },
    'values.signup_enabled is "on"; expected boolean',
    settings,
  ],
] as const)("%s with %j", (collection, change, fault, document) => {
  expect(faultOfDocument(collection, { ...document, ...change })).toEqual(fault as never);
});

test("fields of other versions are told, not refused", () => {
  expect(faultOfDocument("jobs", { ...job, nickname: "x" })).toBeUndefined();
  expect(unknownFieldsOf("jobs", { ...job, nickname: "x" })).toEqual(["nickname"]);
});

test("every reference is a field of its collection, and leads to a collection", () => {
  const names = new Set(everyCollection(collections).map(({ name }) => name));
  for (const [collection, fields] of Object.entries(references)) {
    const document = Object.fromEntries(Object.keys(fields).map((field) => [field, 1]));
    expect([collection, unknownFieldsOf(collection, document)]).toEqual([collection, []]);
    for (const target of Object.values(fields)) {
      for (const name of typeof target === "string" ? [target] : Object.values(target.of))
        expect(names).toContain(name);
    }
  }
});

test("what names the owner of something is a reference", () => {
  const owning = ["project_id", "namespace_id", "source_id", "package_id", "repository_id", "epic_id", "pipeline_id"];
  // Payloads are found by the events that they are of; an artifact may be older than this field.
  const loose = [
    "issues.epic_id",
    "package-files.pipeline_id",
    "package-pipelines.pipeline_id",
    "job-artifacts.project_id",
  ];
  const named = everyCollection(collections).flatMap(({ name }) =>
    owning
      .filter((field) => unknownFieldsOf(name, { [field]: 1 }).length === 0)
      .filter((field) => references[name]?.[field] === undefined)
      .map((field) => `${name}.${field}`),
  );
  expect(named.sort()).toEqual([...loose, "error-payloads.project_id"].sort());
});

const has = (collection: string, id: number) => id === 1 || collection === "groups";

test.each([
  ["issues", { project_id: 1, author_id: 1, assignee_ids: [1], closed_by_id: null, milestone_id: 9 }, undefined],
  ["issues", { project_id: 2, author_id: 1, assignee_ids: [] }, { field: "project_id", target: "projects", id: 2 }],
  ["issues", { project_id: 1, assignee_ids: [1, 7, 8] }, { field: "assignee_ids", target: "users", id: 7 }],
  ["labels", { source_type: "group", source_id: 5 }, undefined],
  ["labels", { source_type: "project", source_id: 5 }, { field: "source_id", target: "projects", id: 5 }],
  ["notification-settings", { source_type: "global", source_id: 5, user_id: 1 }, undefined],
  ["projects", { namespace_id: 2 }, { field: "namespace_id", target: "namespaces", id: 2 }],
  ["projects", { namespace_id: 2, is_being_deleted: true }, undefined],
  ["jobs", { project_id: 2 }, undefined],
] as const)("%s: %j lacks %p", (collection, document, lost) => {
  expect(lostReferenceOf(collection, document, has)).toEqual(lost);
});
