import { describe, expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/ci/pipelines/creation/plan.ts";

const predefined = { CI_COMMIT_BRANCH: "main", CI_PROJECT_PATH: "team/app" };

function plan(text: string, given: Readonly<Record<string, string>> = {}) {
  const variables = Object.entries(given).map(([key, value]) => ({ variable_type: "env_var" as const, key, value }));
  const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, predefined, variables);
  if (planned === "filtered") throw new Error("filtered");
  return planned;
}

const jobsOf = (...args: Parameters<typeof plan>) => plan(...args).jobs;

describe("parallel", () => {
  test("makes several numbered jobs", () => {
    const jobs = jobsOf("a: {script: x, parallel: 3}");
    expect(jobs.map(({ name, config }) => [name, config.node])).toEqual([
      ["a 1/3", { index: 1, total: 3 }],
      ["a 2/3", { index: 2, total: 3 }],
      ["a 3/3", { index: 3, total: 3 }],
    ]);
  });

  test("makes a job of every combination, which its rules see", () => {
    const text = `
a:
  script: x
  parallel: {matrix: [{OS: [linux, mac], V: [1, 2]}, {OS: bsd}]}
  rules: [{if: '$OS != "mac"'}]`;
    expect(jobsOf(text).map(({ name, config }) => [name, config.variables])).toEqual([
      ["a: [linux, 1]", { OS: "linux", V: "1" }],
      ["a: [linux, 2]", { OS: "linux", V: "2" }],
      ["a: [bsd]", { OS: "bsd" }],
    ]);
  });

  test("makes a job of each name", () => {
    const text =
      "a: {stage: build, script: x, parallel: {matrix: [{OS: [linux, linux]}, {OS: linux}]}}\nb: {needs: [a], script: x}";
    expect(jobsOf(text)).toMatchObject([
      { name: "a: [linux]", config: { node: { index: 1, total: 1 } } },
      { name: "b", needs: ["a: [linux]"] },
    ]);
    const names = jobsOf("a: {script: x, parallel: 2}\na 1/2: {script: own}").map(({ name }) => name);
    expect(names.sort()).toEqual(["a 1/2", "a 2/2"]);
  });

  test("is named by needs and dependencies in full, or by combination", () => {
    const text = `
a: {stage: build, script: x, parallel: {matrix: [{OS: [linux, mac]}]}}
all: {script: x, needs: [a]}
one: {script: x, needs: [{job: a, parallel: {matrix: [{OS: mac}]}}]}
files: {script: x, dependencies: [a, a]}`;
    const jobs = Object.fromEntries(jobsOf(text).map((job) => [job.name, job]));
    expect(jobs.all?.needs).toEqual(["a: [linux]", "a: [mac]"]);
    expect(jobs.one?.needs).toEqual(["a: [mac]"]);
    expect(jobs.files?.config.dependencies).toEqual(["a: [linux]", "a: [mac]"]);
    expect(() => plan(text.replace("{OS: mac}", "{OS: bsd}"))).toThrow("one job: undefined need: a: [bsd]");
  });

  test.each([
    ["0", "jobs:a:parallel config must be greater than or equal to 1"],
    ["201", "jobs:a:parallel config must be less than or equal to 200"],
    ["1.5", "jobs:a:parallel config must be an integer"],
    ["many", "jobs:a:parallel should be an integer or a hash"],
    ["{of: 2}", "jobs:a:parallel config contains unknown keys: of"],
    ["{matrix: x}", "jobs:a:parallel:matrix config should be an array of hashes"],
    ["{matrix: [{}]}", "jobs:a:parallel:matrix:variables config requires at least 1 items"],
    [
      `{matrix: [{${["A", "B", "C"].map((key) => `${key}: [1,2,3,4,5,6]`).join(",")}}]}`,
      "jobs:a:parallel:matrix config generates too many jobs (maximum is 200)",
    ],
    [
      `{matrix: [{${Array.from({ length: 60 }, (_, at) => `K${at}: [1,2,3,4,5,6,7,8]`).join(",")}}]}`,
      "jobs:a:parallel:matrix config generates too many jobs (maximum is 200)",
    ],
  ])("%s is refused", (value, message) => {
    expect(() => plan(`a: {script: x, parallel: ${value}}`)).toThrow(message);
  });

  test("jobs that need many others are refused before they delay other requests", () => {
    const long = "y".repeat(240);
    const wide = `parallel: {matrix: [{A: [${Array.from({ length: 200 }, (_, at) => `${long}${at}`).join(",")}]}]}`;
    expect(() => plan(`a: {script: x, ${wide}}\nb: {script: x, needs: [a], ${wide}}`)).toThrow("too big");
    const three = ["a", "b", "c"].map((name) => `${name}: {script: x, parallel: 200}`).join("\n");
    expect(() => plan(three)).toThrow("jobs config should contain at most 500 jobs");
  });
});

describe("variables", () => {
  test("of the job override those of the file, and given ones override both", () => {
    const text = "variables: {A: file}\na: {script: x, variables: {A: job}, rules: [{if: '$A == \"job\"'}]}";
    expect(jobsOf(text)).toHaveLength(1);
    expect(jobsOf(text, { A: "given" })).toEqual([]);
  });

  test("that name others are expanded, in rules, tags and names", () => {
    const text = `
variables: {BRANCH: $CI_COMMIT_BRANCH, WHERE: "on-\${BRANCH}", LOOP: $LOOP}
workflow: {name: 'Run $WHERE $LOOP'}
a: {script: x, tags: [$WHERE, b], rules: [{if: '$WHERE == "on-main"'}]}`;
    expect(plan(text)).toMatchObject({ name: "Run on-main $LOOP", jobs: [{ tag_list: ["on-main", "b"] }] });
  });

  test("with a too large expansion are refused", () => {
    const doubled = Array.from({ length: 40 }, (_, at) => `V${at + 1}: "$V${at}$V${at}"`).join(", ");
    const text = `variables: {V0: xx, ${doubled}}\na: {script: x, rules: [{if: $V40}]}`;
    expect(() => plan(text)).toThrow("variables are too long when expanded");
  });

  test("of the file and defaults are inherited unless said otherwise", () => {
    const text = `
default: {image: alpine, tags: [t]}
variables: {A: 1, B: 2}
a: {script: x, inherit: {default: false, variables: [A]}, rules: [{if: '$A && $B == null'}]}
b: {script: x, inherit: {default: [tags]}}`;
    const [a, b] = jobsOf(text);
    expect(a).toMatchObject({ tag_list: [], config: { image: null, inherited_variables: ["A"] } });
    expect(b).toMatchObject({ tag_list: ["t"], config: { image: null } });
  });
});

describe("needs", () => {
  test("may be optional, may leave out artifacts, and may come from a rule", () => {
    const text = `
a: {stage: build, script: x}
gone: {stage: build, script: x, rules: [{when: never}]}
b: {script: x, needs: [{job: a, artifacts: false}, {job: gone, optional: true}, {job: nobody, optional: true}]}
c: {script: x, needs: [b], rules: [{if: $CI_COMMIT_BRANCH, needs: [a]}]}`;
    const [, b, c] = jobsOf(text);
    expect(b).toMatchObject({ needs: ["a"], config: { dependencies: [] } });
    expect(c).toMatchObject({ needs: ["a"], config: { dependencies: ["a"] } });
  });
});

test("retry, timeout, interruptible, resource_group and environment are read", () => {
  const text = `
default: {timeout: 1h 30m, retry: {max: 1, when: [script_failure, runner_system_failure], exit_codes: [3]}}
a: {script: x, interruptible: yes, resource_group: $CI_COMMIT_BRANCH, environment: {name: prod, url: "https://x"}}
b: {script: x, timeout: "90", retry: 2}`;
  const [a, b] = jobsOf(text);
  expect(a).toMatchObject({
    interruptible: true,
    resource_group: "main",
    config: {
      timeout_s: 5400,
      retry: { max: 1, when: ["script_failure", "runner_system_failure"], exit_codes: [3] },
      environment: { name: "prod", url: "https://x", action: "start", tier: null },
    },
  });
  expect(b).toMatchObject({ config: { timeout_s: 90, retry: { max: 2, when: ["always"], exit_codes: [] } } });
});

test.each(["1.5", ".nan", ".inf", "1e300", "x"])("exit codes are whole numbers, and %s is none", (code) => {
  for (const keyword of ["allow_failure", "retry"]) {
    expect(() => jobsOf(`a: {script: x, ${keyword}: {exit_codes: [1, ${code}]}}`)).toThrow(
      "exit codes should be an array of integers",
    );
  }
});

test("only and except name refs of one project, and no cluster", () => {
  const text = `
here: {script: x, only: ["main@team/app"]}
there: {script: x, only: ["main@other/app", "/^m/@other/app"]}
cluster: {script: x, only: {kubernetes: active}}
any: {script: x, except: {kubernetes: active}}`;
  expect(jobsOf(text).map(({ name }) => name)).toEqual(["here", "any"]);
});

describe("an unknown keyword is refused, as it would have no effect", () => {
  test.each([
    ["a: {script: x, scrip: y}", "jobs:a config contains unknown keys: scrip"],
    ["a: {script: x, trigger: b/c}", "jobs:a config these keys cannot be used together: script, trigger"],
    ["a: {trigger: b/c, image: x}", "jobs:a config contains unknown keys: image"],
    ["default: {scrip: y}\na: {script: x}", "default config contains unknown keys: scrip"],
    ["workflow: {rule: []}\na: {script: x}", "workflow config contains unknown keys: rule"],
    ["a: {script: x, rules: [{iff: $A}]}", "jobs:a:rules:rule config contains unknown keys: iff"],
    ["a: {script: x, only: {ref: main}}", "jobs:a:only config contains unknown keys: ref"],
    ["a: {script: x, only: [main], rules: [{when: always}]}", "jobs:a config key may not be used with `rules`: only"],
    ["a: {script: x, when: delayed}", "jobs:a start in should be a duration"],
    ["a: {script: x, when: delayed, start_in: soon}", "jobs:a start in should be a duration"],
    ["a: {script: x, when: delayed, start_in: 8 days}", "jobs:a start in should not exceed the limit"],
    ["a: {script: x, start_in: 1 day}", "jobs:a start in must be blank"],
    ["a: {script: x, timeout: ever}", "jobs:a:timeout config should be a duration"],
    ["a: {script: x, timeout: 1 year}", "jobs:a:timeout config should not exceed the limit"],
    ["a: {script: x, retry: 3}", "retry config must be less than or equal to 2"],
    ["a: {script: x, retry: {max: 1, when: [bad_luck]}}", "retry when contains unknown values: bad_luck"],
    ["a: {script: x, interruptible: maybe}", "jobs:a:interruptible config should be a boolean value"],
    ["a: {script: x, image: 1}", "jobs:a:image config should be a hash or a string"],
    ["a: {script: x, artifacts: [a]}", "jobs:a:artifacts config should be a hash"],
    ["a: {script: x, dependencies: [b]}", "a job: undefined dependency: b"],
    ["a: {script: x, needs: [{pipeline: b}]}", "jobs:a:needs config uses invalid types: bridge"],
    ["a: {script: x, needs: [b, b]}\nb: {script: x}", "a has the following needs duplicated: b."],
    ["a: {script: x, environment: {action: start}}", "jobs:a:environment name can't be blank"],
    [`${"a".repeat(256)}: {script: x}`, "name is too long (maximum is 255 characters)"],
    [`a: {script: x, parallel: {matrix: [{A: ${"b".repeat(255)}}]}}`, "name is too long (maximum is 255 characters)"],
    [`stages: [${"a".repeat(256)}]\na: {script: x}`, "stages config has a name that is too long (maximum is 255)"],
    [`a: {script: x, tags: [${"b,".repeat(50)}]}`, "jobs:a:tags config must be less than the limit of 50 tags"],
    [`a: {script: x, tags: [${"b".repeat(256)}]}`, "a job: a tag is too long (maximum is 255)"],
  ])("%p", (text, message) => {
    expect(() => plan(text)).toThrow(message);
  });
});
