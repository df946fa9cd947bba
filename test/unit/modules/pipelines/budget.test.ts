import { describe, expect, spyOn, test } from "bun:test";
import { OneAtATime } from "../../../../src/lib/one-at-a-time.ts";
import {
  Budget,
  CiFileError,
  type CiFiles,
  ExpansionBudget,
  FileMatcher,
  faultOf,
  Includes,
  needsFileList,
  Patterns,
  readCiFile,
  readMapping,
  selectJobs,
  stepsMax,
} from "../../../../src/modules/ci/ci-config/index.ts";
import { Composer } from "../../../../src/modules/ci/ci-config/yaml/composer.ts";
import { planFile } from "../../../../src/modules/ci/pipelines/creation/plan.ts";
import { hostileFiles, hostilePaths } from "./hostile-files.ts";

const none = new Map<string, string>();
const found = { all: hostilePaths, changed: hostilePaths };
const files: CiFiles = {
  sha: "0".repeat(40),
  tag: undefined,
  read: async () => "b: {script: x}",
  files: async () => found,
  of: async () => "no project",
};
const predefined = { ofPipeline: none, ofJob: () => none };
const branch = { ref: "main", tag: false, source: "push" } as const;

/** The error of a CI file; undefined for none. Anything else that is thrown stays thrown. */
async function errorOf(text: string, budget: Budget): Promise<string | undefined> {
  try {
    const file = readMapping(await new Includes(none, none, new OneAtATime(), budget).read(text, files), budget);
    const asked = needsFileList(file) ? found : { all: undefined, changed: undefined };
    planFile(file, branch, predefined, [], asked, budget);
    return undefined;
  } catch (error) {
    if (error instanceof CiFileError) return error.message;
    throw error;
  }
}

describe("a CI file with all its questions costs no more than its budget", () => {
  test.each(Object.entries(hostileFiles))("%s", async (_, { text, error }) => {
    const budget = new Budget();
    const said = await errorOf(text, budget);
    if (error === undefined) expect(said).toBeUndefined();
    else expect(said ?? "no error").toContain(error);
    expect(said !== undefined || budget.spent <= stepsMax).toBe(true);
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
  });
});

test("five hundred jobs of a large project use a third of it", async () => {
  const variables = Array.from({ length: 10 }, (_, at) => `V${at}: value ${at}`).join(", ");
  const jobs = Array.from(
    { length: 500 },
    (_, at) => `
job ${at}:
  extends: .tests
  needs: [${at === 0 ? "" : "job 0"}]
  script: [prepare, "test ${at}", "echo $CI_COMMIT_SHA"]
  variables: {OWN: "${at}", DIR: services/${at}}`,
  );
  const text = `
default: {image: alpine, before_script: [a, b, c], cache: {key: x, paths: [a, b]}}
.base: {retry: 2, tags: [linux, docker], artifacts: {paths: [a, b], expire_in: 1 week}, variables: {${variables}}}
.tests:
  extends: .base
  interruptible: true
  rules:
    - {if: '$CI_PIPELINE_SOURCE == "merge_request_event"'}
    - {if: '$CI_COMMIT_TAG =~ /^v\\d+\\.\\d+$/'}
    - {exists: ["dir1/**/*.none", "**/Dockerfile", none/*]}
    - {if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_COMMIT_TAG == null'}
${jobs.join("\n")}`;
  const budget = new Budget();
  expect(await errorOf(text, budget)).toBeUndefined();
  expect(budget.spent).toBeLessThan(stepsMax / 3);
});

test("the budget covers included files and later steps", async () => {
  const budget = new Budget();
  const text = 'include: [{local: a.yml, rules: [{exists: ["n*"]}]}]\na: {script: x, rules: [{exists: ["n*"]}]}';
  const mapping = await new Includes(none, none, new OneAtATime(), budget).read(text, files);
  const included = budget.spent;
  const file = readMapping(mapping, budget);
  const read = budget.spent;
  planFile(file, branch, predefined, [], found, budget);
  expect([included, budget.spent - read].every((steps) => steps > hostilePaths.length / 10)).toBe(true);
});

test("the files of simultaneous pipelines are parsed one after the other", async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const compose = spyOn(Composer.prototype, "document").mockImplementation(() => {
    turns.push(turn);
    return { a: { script: "x" } };
  });
  const work = new OneAtATime();
  const read = () => new Includes(none, none, work).read("a: {script: x}", files);
  await Promise.all(Array.from({ length: 16 }, read));
  isOver = true;
  compose.mockRestore();
  expect(turns).toHaveLength(16);
  expect(new Set(turns).size).toBe(16);
});

test("of many variables a job reads those that it names", () => {
  let looks = 0;
  const watched = new Proxy<Record<string, string>>(Object.fromEntries(hostilePaths.map((path) => [path, "x"])), {
    ownKeys: (target) => {
      looks += hostilePaths.length;
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor: (target, name) => {
      looks += 1;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  const budget = new Budget();
  const text = Array.from({ length: 10 }, (_, at) => {
    const inherit = at % 2 === 0 ? ", inherit: {variables: [A, B]}" : "";
    return `j${at}: {script: x, rules: [{if: $A}, {when: always, variables: {C: c}}]${inherit}}`;
  });
  const occasion = {
    ...branch,
    predefined: none,
    predefinedOf: () => none,
    given: none,
    files: new FileMatcher({ all: undefined, changed: undefined }),
    patterns: new Patterns(budget),
    room: new ExpansionBudget(budget),
  };
  const jobs = selectJobs(
    readCiFile(text.join("\n"), budget),
    { variables: watched, rawVariables: new Set<string>() },
    occasion,
  );
  expect(jobs).toHaveLength(10);
  expect(looks).toBeLessThan(100);
});

test("an overflow of stack or memory is an error of the file, and other errors are not", () => {
  expect(faultOf(new CiFileError("wrong"))).toBe("wrong");
  expect(faultOf(new RangeError("Maximum call stack size exceeded."))).toBe("The parsed YAML is too big");
  expect(faultOf(new TypeError("x is no function"))).toBeUndefined();
});
