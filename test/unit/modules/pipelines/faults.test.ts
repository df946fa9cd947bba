import { describe, expect, test } from "bun:test";
import { readCiFile } from "../../../../src/modules/ci/ci-config/read.ts";
import { CiFileError, CiFileFaults } from "../../../../src/modules/ci/ci-config/values.ts";

/** Returns the faults of a file as the platform tells them, without places. */
function faultsOf(text: string): string[] {
  return toldOf(text).map((fault) => fault.replace(/ \(line \d+, column \d+\)$/, ""));
}

function toldOf(text: string): readonly string[] {
  try {
    readCiFile(text);
    return [];
  } catch (error) {
    if (error instanceof CiFileFaults) return error.faults;
    if (error instanceof CiFileError) return [error.message];
    throw error;
  }
}

/** A job with a script and more. */
const job = (more: string) => `rspec: {script: test, ${more}}`;
const nested = "a string or a nested array of strings up to 10 levels deep";
const listed = "an array of strings or a nested array of strings up to 10 levels deep";
const ref2 = "should be an array of strings or regular expressions using re2 syntax";
const environmentName =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

/** What is told of an image that is neither a text nor a mapping. */
const nameless = (place: string) =>
  ["config should be a hash or a string", "name should be a string", "name can't be blank"].map(
    (fault) => `${place} ${fault}`,
  );
const noJob = "jobs config should contain at least one visible job";

describe("a faulty file is refused with the platform's sentence", () => {
  test.each<[text: string, ...faults: string[]]>([
    // The file.
    ["image: [test]\nrspec: {script: test}", ...nameless("image")],
    ["services: test\nrspec: {script: test}", "services config should be a array"],
    ["services: [10, test]\nrspec: {script: test}", ...nameless("services:service")],
    ["stages: test\nrspec: {script: test}", `stages config should be ${listed}`],
    ["stages: [true, test]\nrspec: {script: test}", `stages config should be ${listed}`],
    ["before_script: 123\nrspec: {script: test}", `before_script config should be ${nested}`],
    ["variables: test\nrspec: {script: test}", "variables config should be a hash"],
    ["variables: {test: []}\nrspec: {script: test}", "variable definition must be either a string or a hash"],
    [
      "variables: {VAR1: {invalid: hello}}\nrspec: {script: test}",
      "variables:var1 config uses invalid data keys: invalid",
    ],
    [
      "variables: {VAR: {value: val, options: [val1, val2]}}\nrspec: {script: test}",
      "variables:var config value must be present in options",
    ],
    ["variables: {A: {value: []}}\nrspec: {script: test}", "variables:a config value must be a scalar"],
    ["variables: {A: {expand: what}}\nrspec: {script: test}", "variables:a config expand should be a boolean value"],
    ["cache: {untracked: string}\nrspec: {script: test}", "cache:untracked config should be a boolean value"],
    ["cache: {paths: string}\nrspec: {script: test}", "cache:paths config should be an array of strings"],
    ["cache: {key: 1}\nrspec: {script: test}", "cache:key should be a hash, a string or a symbol"],
    ["cache: text\nrspec: {script: test}", "caches config can only be a hash or an array"],
    ["default: [a]\nrspec: {script: test}", "default config should be a hash"],
    ["default: {unknown: a}\nrspec: {script: test}", "default config contains unknown keys: unknown"],
    ["default: {image: [a]}\nrspec: {script: test}", ...nameless("default:image")],
    ["default: {image: a}\nimage: b\nrspec: {script: test}", "image is defined in top-level and `default:` entry"],
    ["before_script: [x]", "jobs config should contain at least one visible job"],
    [".hidden: {script: ls}", "jobs config should contain at least one visible job"],
    [".hidden:\nrspec: {script: test}", "jobs:.hidden config can't be blank"],
    ["extra: bundle update", "jobs extra config should implement the script:, run:, or trigger: keyword", noJob],
    [
      "rspec: {before_script: test}",
      "jobs rspec config should implement the script:, run:, or trigger: keyword",
      noJob,
    ],
    [
      "types: [build]\nrspec: {script: test}",
      "jobs types config should implement the script:, run:, or trigger: keyword",
    ],
    ['"": {script: test}', "jobs:job name can't be blank"],
    // Workflow.
    ["workflow: [a]\nrspec: {script: test}", "workflow config should be a hash"],
    ["workflow: {rules: {if: $A}}\nrspec: {script: test}", "workflow:rules config should be a array"],
    ["workflow: {rules: []}\nrspec: {script: test}", "workflow:rules config can't be blank"],
    ["workflow: {rules: [{when: manual}]}\nrspec: {script: test}", "workflow:rules:rule when unknown value: manual"],
    [
      "workflow: {auto_cancel: {on_new_commit: maybe}}\nrspec: {script: test}",
      "workflow:auto_cancel on new commit must be one of: conservative, interruptible, none",
    ],
    [
      `workflow: {name: ${"n".repeat(256)}}\nrspec: {script: test}`,
      "workflow name is too long (maximum is 255 characters)",
    ],
    // Scripts and texts.
    [job("before_script: [10, test]"), `jobs:rspec:before_script config should be ${nested}`],
    [job("after_script: [10, test]"), `jobs:rspec:after_script config should be ${nested}`],
    ["rspec: {script: [10]}", `jobs:rspec:script config should be ${nested}`],
    ["rspec: {script: []}", "jobs:rspec script can't be blank"],
    [job("stage: 1"), "jobs:rspec:stage config should be a string"],
    [job("tags: mysql"), "jobs:rspec:tags config should be an array of strings"],
    [job("tags: [1]"), "jobs:rspec:tags config should be an array of strings"],
    [
      job("when: 1"),
      "jobs:rspec when should be a string",
      "jobs:rspec when should be one of: on_success, on_failure, always, manual, delayed",
    ],
    [job("extends: {}"), "jobs:rspec extends should be an array of strings or a string"],
    [job("resource_group: [a]"), "jobs:rspec resource group should be a string"],
    [job("interruptible: 2"), "jobs:rspec:interruptible config should be a boolean value"],
    [job("coverage: test"), "jobs:rspec:coverage config must be a regular expression with re2 syntax"],
    [job("coverage: /(/"), "jobs:rspec:coverage config must be a regular expression with re2 syntax"],
    [
      job("timeout: 100"),
      "jobs:rspec:timeout config should be a duration",
      "jobs:rspec:timeout config should not exceed the limit",
    ],
    [job("timeout: 3 months"), "jobs:rspec:timeout config should not exceed the limit"],
    [job("hooks: {x: y}"), "jobs:rspec:hooks config contains unknown keys: x"],
    [job("hooks: {pre_get_sources_script: 1}"), `jobs:rspec:hooks:pre_get_sources_script config should be ${nested}`],
    [job("publish: foo"), "jobs:rspec publish can only be used within a `pages` job"],
    [job("pages: text"), "jobs:rspec:pages config should be a hash or a boolean value"],
    [job("inherit: {default: 1}"), "jobs:rspec:inherit:default should be a bool or array of strings"],
    [job("inherit: {default: [script]}"), "jobs:rspec:inherit:default config contains unknown values: script"],
    [job("inherit: {variables: [1]}"), "jobs:rspec:inherit:variables config should be an array of strings"],
    [
      job("bad_tags: mysql, rules: {wrong: format}"),
      "jobs:rspec rules should be an array containing hashes and arrays of hashes",
      "jobs:rspec config contains unknown keys: bad_tags",
    ],
    // Images and services.
    [job("image: [test]"), ...nameless("jobs:rspec:image")],
    [
      job("image: {entrypoint: [a]}"),
      "jobs:rspec:image name should be a string",
      "jobs:rspec:image name can't be blank",
    ],
    [job("image: {name: a, entrypoint: b}"), "jobs:rspec:image entrypoint should be an array of strings"],
    [job("image: {name: a, non_existing: b}"), "jobs:rspec:image config contains unknown keys: non_existing"],
    [job("image: {name: a, ports: [80]}"), "jobs:rspec:image config contains disallowed keys: ports"],
    [job("image: {name: a, pull_policy: x}"), "jobs:rspec:image:pull_policy config is not included in the list"],
    [job("image: {name: a, pull_policy: [x]}"), "jobs:rspec:image:pull_policy config contains unknown values: x"],
    [
      job("image: {name: a, docker: {platform: 1}}"),
      "jobs:rspec:image executor opts value at `/docker/platform` is not a string",
    ],
    [
      job("image: {name: a, docker: {unknown_key: foo}}"),
      "jobs:rspec:image executor opts object property at `/docker/unknown_key` is a disallowed additional property",
    ],
    [job("services: test"), "jobs:rspec:services config should be a array"],
    [job("services: [10, test]"), ...nameless("jobs:rspec:services:service")],
    [job("services: [{name: a, alias: 1}]"), "jobs:rspec:services:service alias should be a string"],
    [job("services: [{name: a, command: 1}]"), `jobs:rspec:services:service:command config should be ${nested}`],
    [
      job("services: [{name: a, variables: {B: {value: c}}}]"),
      "jobs:rspec:services:service:variables:b config must be a string",
    ],
    // Artifacts and caches.
    [job("artifacts: [{paths: a}]"), "jobs:rspec:artifacts config should be a hash"],
    [job("artifacts: {name: 1}"), "jobs:rspec:artifacts name should be a string"],
    [
      job("artifacts: {when: 1}"),
      "jobs:rspec:artifacts when should be a string",
      "jobs:rspec:artifacts when should be one of: on_success, on_failure, always",
    ],
    [job("artifacts: {expire_in: 1}"), "jobs:rspec:artifacts expire in should be a duration"],
    [job("artifacts: {expire_in: 7 elephants}"), "jobs:rspec:artifacts expire in should be a duration"],
    [job("artifacts: {untracked: string}"), "jobs:rspec:artifacts untracked should be a boolean value"],
    [job("artifacts: {paths: string}"), "jobs:rspec:artifacts paths should be an array of strings"],
    [job("artifacts: {exclude: string}"), "jobs:rspec:artifacts exclude should be an array of strings"],
    [job("artifacts: {reports: string}"), "jobs:rspec:artifacts reports should be a hash"],
    [
      job("artifacts: {reports: {junit: {}}}"),
      "jobs:rspec:artifacts:reports junit should be an array of strings or a string",
    ],
    [job("artifacts: {reports: {xunit: a}}"), "jobs:rspec:artifacts:reports config contains unknown keys: xunit"],
    [
      job("artifacts: {reports: {coverage_report: {coverage_format: lcov, path: a}}}"),
      "jobs:rspec:artifacts:reports:coverage_report coverage format must be one of supported formats: cobertura, jacoco.",
    ],
    [job("artifacts: {expose_as: a}"), "jobs:rspec:artifacts paths can't be blank"],
    [
      job("artifacts: {expose_as: a, paths: ['*']}"),
      "jobs:rspec:artifacts paths can't contain '*' when used with 'expose_as'",
    ],
    [
      job("artifacts: {expose_as: 'a!', paths: [b]}"),
      "jobs:rspec:artifacts expose as can contain only letters, digits, '-', '_' and spaces",
    ],
    [
      job("artifacts: {access: all, public: true}"),
      "jobs:rspec:artifacts config these keys cannot be used together: access, public",
    ],
    [job("cache: {key: 1}"), "jobs:rspec:cache:key should be a hash, a string or a symbol"],
    [job("cache: {key: a/b}"), 'jobs:rspec:cache:key config cannot contain the "/" character'],
    [job("cache: {key: ..}"), 'jobs:rspec:cache:key config cannot be "." or ".."'],
    [job("cache: {key: a%2Fb}"), 'jobs:rspec:cache:key config cannot contain the "/" character'],
    [job("cache: {key: {files: [1]}}"), "jobs:rspec:cache:key:files config should be an array of strings"],
    [job("cache: {key: {files: []}}"), "jobs:rspec:cache:key:files config requires at least 1 item"],
    [job("cache: {key: {files: [a, b, c]}}"), "jobs:rspec:cache:key:files config has too many items (maximum is 2)"],
    [
      job("cache: {key: {prefix: a}}"),
      "jobs:rspec:cache:key config must use exactly one of these keys: files, files_commits",
    ],
    [job("cache: {key: {prefix: 1, files: [a]}}"), "jobs:rspec:cache:key:prefix config should be a string or symbol"],
    [
      job("cache: {policy: push-pull-x, when: x}"),
      "jobs:rspec:cache when should be one of: on_success, on_failure, always",
    ],
    [job("cache: {policy: x}"), "jobs:rspec:cache policy should be a variable or one of: pull-push, push, pull"],
    [job("cache: {unknown: x}"), "jobs:rspec:cache config contains unknown keys: unknown"],
    [job("cache: [{}, {}, {}, {}, {}]"), "jobs:rspec:caches config no more than 4 caches can be created"],
    [
      job("cache: {fallback_keys: [a, b, c, d, e, f]}"),
      "jobs:rspec:cache fallback keys has to many entries (maximum 5)",
    ],
    // Conditions.
    [job("only: 1"), "jobs:rspec:only has to be either an array of conditions or a hash"],
    [job("only: [1, 1]"), `jobs:rspec:only config ${ref2}`],
    [job('only: ["/*invalid/"]'), `jobs:rspec:only config ${ref2}`],
    [job("only: {variables: ['== null']}"), "jobs:rspec:only variables invalid expression syntax"],
    [job("only: {changes: [1]}"), "jobs:rspec:only changes should be an array of strings"],
    [job("only: {kubernetes: yes please}"), "jobs:rspec:only kubernetes unknown value: yes please"],
    [job("only: {}"), "jobs:rspec:only config can't be blank"],
    [job("except: 1"), "jobs:rspec:except has to be either an array of conditions or a hash"],
    [job("rules: []"), "jobs:rspec:rules config can't be blank"],
    [job("rules: [{}]"), "jobs:rspec:rules:rule config can't be blank"],
    [job("rules: [{if: '$A =='}]"), "jobs:rspec:rules:rule if invalid expression syntax"],
    // A text with a brace is not a variable.
    [job("rules: [{if: '$" + "{A} == null'}]"), "jobs:rspec:rules:rule if invalid expression syntax"],
    [job("rules: [{if: 1}]"), "jobs:rspec:rules:rule if invalid expression syntax"],
    [job("rules: [{when: sometimes}]"), "jobs:rspec:rules:rule when unknown value: sometimes"],
    [job("rules: [{wh: a}]"), "jobs:rspec:rules:rule config contains unknown keys: wh"],
    [job("rules: [{start_in: 1 day}]"), "jobs:rspec:rules:rule config contains disallowed keys: start_in"],
    [
      job("rules: [{when: delayed}]"),
      "jobs:rspec:rules:rule start in can't be blank",
      "jobs:rspec:rules:rule start in should be a duration",
      "jobs:rspec:rules:rule start in should not exceed the limit",
    ],
    [job("rules: [{allow_failure: 1}]"), "jobs:rspec:rules:rule allow failure should be a boolean value"],
    [job("rules: [{changes: a}]"), "jobs:rspec:rules:rule:changes should be an array or a hash"],
    [job("rules: [{changes: [1]}]"), "jobs:rspec:rules:rule:changes config should be an array of strings"],
    [
      job(`rules: [{changes: [${"a,".repeat(51)}]}]`),
      "jobs:rspec:rules:rule:changes config has too many entries (maximum 50)",
    ],
    [
      job("rules: [{changes: {compare_to: a}}]"),
      "jobs:rspec:rules:rule:changes config missing required keys: paths",
      "jobs:rspec:rules:rule:changes paths should be an array of strings",
    ],
    [
      job(`rules: [{exists: [${"a,".repeat(51)}]}]`),
      "jobs:rspec:rules:rule:exists config has too many entries (maximum 50)",
    ],
    [job("rules: [{exists: 1}]"), "jobs:rspec:rules:rule:exists should be a string, an array of strings, or a hash"],
    [
      job("rules: [{exists: {paths: [a], ref: b}}]"),
      "jobs:rspec:rules:rule:exists config missing required keys: project",
    ],
    [job("rules: [{variables: [a]}]"), "jobs:rspec:rules:rule:variables config should be a hash"],
    [job("rules: [{variables: {A: {value: b}}}]"), "jobs:rspec:rules:rule:variables:a config must be a string"],
    [
      job("when: delayed, start_in: 10 minutes, rules: [{if: '$A'}]"),
      "jobs:rspec config key may not be used with `rules`: start_in",
      "jobs:rspec start in must be blank",
    ],
    [job("only: [main], rules: [{if: '$A'}]"), "jobs:rspec config key may not be used with `rules`: only"],
    // What happens when.
    [job("allow_failure: string"), "jobs:rspec allow failure should be a hash or a boolean value"],
    [
      job("allow_failure: {exit_codes: string}"),
      "jobs:rspec:allow_failure exit codes should be an array of integers or an integer",
    ],
    [job("retry: true"), "retry config has to be either an integer or a hash"],
    [job("retry: 10"), "retry config must be less than or equal to 2"],
    [job("retry: -1"), "retry config must be greater than or equal to 0"],
    [job("retry: 1.5"), "retry config has to be either an integer or a hash"],
    [job("retry: {max: 1.5}"), "retry max must be an integer"],
    [job("retry: {max: 2, unknown_key: a, one_more: b}"), "retry config contains unknown keys: unknown_key, one_more"],
    [job("retry: {when: true}"), "retry when should be an array of strings or a string"],
    [job("retry: {when: unknown_reason}"), "retry when is not included in the list"],
    [job("retry: {when: [unknown_reason, api_failure]}"), "retry when contains unknown values: unknown_reason"],
    [job("retry: {exit_codes: ['a']}"), "retry exit codes should be an array of integers or an integer"],
    [job("parallel: test"), "jobs:rspec:parallel should be an integer or a hash"],
    [job("parallel: 0"), "jobs:rspec:parallel config must be greater than or equal to 1"],
    [
      job("parallel: {x: y}"),
      "jobs:rspec:parallel config contains unknown keys: x",
      "jobs:rspec:parallel config missing required keys: matrix",
    ],
    [
      job("parallel: {matrix: [{A: {}}]}"),
      "jobs:rspec:parallel:matrix:variables config should be a hash of key value pairs, value can be an array",
    ],
    [
      job("environment: 1"),
      "jobs:rspec:environment config should be a hash or a string",
      "jobs:rspec:environment name can't be blank",
      `jobs:rspec:environment name ${environmentName}`,
    ],
    [job("environment: 'production:staging'"), `jobs:rspec:environment name ${environmentName}`],
    [
      job("environment: {name: a, action: x}"),
      "jobs:rspec:environment action should be start, stop, prepare, verify, or access",
    ],
    [job("environment: {name: a, invalid: b}"), "jobs:rspec:environment config contains unknown keys: invalid"],
    [job("environment: {name: a, url: 1}"), "jobs:rspec:environment url should be a string"],
    [
      job("environment: {name: a, deployment_tier: live}"),
      "jobs:rspec:environment deployment tier must be one of production, staging, testing, development, other",
    ],
    [job("environment: {name: a, kubernetes: b}"), "jobs:rspec:environment kubernetes should be a hash"],
    // Needs.
    [job("needs: build1"), "jobs:rspec:needs config can only be a hash or an array"],
    [job("needs: {}"), "jobs:rspec:needs config can not be an empty hash"],
    [job("needs: [123]"), "jobs:rspec:needs:need has an unsupported type"],
    [job("needs: ['']"), "jobs:rspec:needs:need config can't be blank"],
    [job("needs: [{job: 1}]"), "jobs:rspec:needs:need job should be a string"],
    [job("needs: [{job: a, some: key}]"), "jobs:rspec:needs:need config contains unknown keys: some"],
    [job("needs: [{job: a, optional: 1}]"), "jobs:rspec:needs:need optional should be a boolean value"],
    [job("needs: [{job: a, parallel: 2}]"), 'jobs:rspec:needs config cannot use "parallel: <number>".'],
    [
      job("needs: [{pipeline: $A, job: b, something: else}]"),
      "jobs:rspec:needs:need config contains unknown keys: something",
    ],
    [
      job(`needs: [${Array.from({ length: 6 }, (_, at) => `{pipeline: $P${at}, job: a}`).join(", ")}]`),
      "jobs:rspec:needs config must be less than or equal to 5",
    ],
    [job("dependencies: string"), "jobs:rspec dependencies should be an array of strings"],
    [
      "a: {script: x}\nb: {script: x}\nc: {script: x, needs: [a], dependencies: [b]}",
      "jobs:c dependencies the b should be part of needs",
    ],
    ["a: {script: x, stage: build}\nb: {script: x, needs: [c]}", "b job: undefined need: c"],
    [
      "a: {script: x, stage: deploy}\nb: {script: x, needs: [a]}",
      "b job: need a is not defined in current or prior stages",
    ],
    [
      "a: {script: x, stage: deploy}\nb: {script: x, dependencies: [a]}",
      "b job: dependency a is not defined in current or prior stages",
    ],
    [
      "a: {script: x}\nb: {script: x, rules: [{if: '$A == null', needs: [a, {job: a}]}]}",
      "b has the following needs duplicated: a.",
    ],
    [
      "stages: [build, test]\nrspec: {script: test, stage: acceptance}",
      "rspec job: chosen stage acceptance does not exist; available stages are .pre, build, test, .post",
    ],
    [
      "job_a: {script: x, needs: [job_c]}\njob_b: {script: x, needs: [job_a]}\njob_c: {script: x, needs: [job_b]}",
      'The pipeline has circular dependencies: topological sort failed: ["job_a", "job_c", "job_b"]',
    ],
    [
      "job_0: {script: x}\njob: {script: x, needs: [job_0, job]}",
      "The pipeline has circular dependencies: self-dependency: job",
    ],
    // Extends.
    ["rspec: {extends: something, script: test}", "rspec: unknown keys in `extends` (something)"],
    ["a: {extends: [b], script: x}\nb: text", "a: invalid base hashes in `extends` (b)"],
    ["a: {extends: b, script: x}\nb: {extends: a, script: x}", "a: circular dependency detected in `extends`"],
    // Environments that are stopped.
    ["a: {script: x, environment: {name: r, on_stop: b}}", "a job: on_stop job b is not defined"],
    [
      "a: {script: x, environment: {name: r, on_stop: b}}\nb: {script: x}",
      "a job: on_stop job b does not have environment defined",
    ],
    [
      "a: {script: x, environment: {name: r, on_stop: b}}\nb: {script: x, environment: p}",
      "a job: on_stop job b have different environment name",
    ],
    [
      "a: {script: x, environment: {name: r, on_stop: b}}\nb: {script: x, environment: {name: r}}",
      "a job: on_stop job b needs to have action stop defined",
    ],
    // Jobs that make other pipelines.
    ["a: {needs: [b]}\nb: {script: x}", "jobs:a config should contain either a trigger or a needs:pipeline"],
    ["a: {trigger: ''}", "jobs:a:trigger config can't be blank"],
    ["a: {trigger: 123}", "jobs:a:trigger has to be either a string or a hash"],
    ["a: {trigger: {project: ''}}", "jobs:a:trigger project can't be blank"],
    ["a: {trigger: {project: [b]}}", "jobs:a:trigger project should be a string"],
    ["a: {trigger: {project: b, unknown: 123}}", "jobs:a:trigger config contains unknown keys: unknown"],
    ["a: {trigger: {project: b, strategy: notdepend}}", "jobs:a:trigger strategy should be depend or mirror"],
    ["a: {trigger: {project: b, include: c.yml}}", "jobs:a:trigger config contains unknown keys: project"],
    ["a: {trigger: {include: {local: c.yml}}}", "jobs:a:trigger:include config should be an array or a string"],
    [
      "a: {trigger: {include: [a.yml, b.yml, c.yml, d.yml]}}",
      "jobs:a:trigger:include config is too long (maximum is 3)",
    ],
    [
      "a: {trigger: {include: [{artifact: g.yml}]}}",
      "jobs:a:trigger:include:include config must specify the job where to fetch the artifact from",
    ],
    [
      "a: {trigger: {include: [{project: b}]}}",
      "jobs:a:trigger:include:include config must specify the file where to fetch the config from",
    ],
    ["a: {trigger: b, parallel: 2}", 'jobs:a:parallel config cannot use "parallel: <number>".'],
    [
      "a: {trigger: b, image: c}",
      "jobs:a config contains unknown keys: image",
      "jobs:a config should contain either a trigger or a needs:pipeline",
    ],
    ["a: {trigger: {project: b, forward: {x: true}}}", "jobs:a:trigger:forward config contains unknown keys: x"],
    // Other services.
    [
      job("release: {name: a, description: b}"),
      "jobs:rspec:release tag name should be a string",
      "jobs:rspec:release tag name can't be blank",
    ],
    [
      job("release: {tag_name: a}"),
      "jobs:rspec:release description should be a string",
      "jobs:rspec:release description can't be blank",
    ],
    [
      job("release: {tag_name: a, description: b, released_at: soon}"),
      "jobs:rspec:release released at must be a valid datetime",
    ],
    [
      job("id_tokens: {A: {}}"),
      "jobs:rspec:id_tokens:a config missing required keys: aud",
      "jobs:rspec:id_tokens:a aud should be an array of strings or a string",
    ],
    [
      job("secrets: {A: {}}"),
      "jobs:rspec:secrets:a config must use exactly one of these keys: vault, azure_key_vault, gcp_secret_manager, akeyless, gitlab_secrets_manager, aws_secrets_manager",
    ],
  ])("%s", (text, ...faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

describe("a file that the platform takes is taken", () => {
  test.each([
    job("needs: [], dependencies: [a]").concat("\na: {script: x, stage: build}"),
    job("needs: [{pipeline: '123', job: x}]"),
    job("needs: [{pipeline: $UPSTREAM, job: x, artifacts: false}]"),
    job("needs: [{project: group/app, ref: main, job: build, artifacts: true}]"),
    "a: {needs: [{pipeline: other/project}]}",
    job("image: {name: a, entrypoint: [b], docker: {user: '1', platform: amd64}, kubernetes: {user: 1001}}"),
    job("image: {name: a, pull_policy: [always, if-not-present]}"),
    job("services: [a, {name: b, alias: c, command: [d], variables: {E: 1}}]"),
    job("services: [[a], [b]]"),
    job("cache: [{key: a, paths: [b], policy: $POLICY}, {key: {files: [c], prefix: d}}]"),
    job(
      "artifacts: {paths: [a], expire_in: never, reports: {junit: [a], coverage_report: {coverage_format: jacoco, path: b}}}",
    ),
    job("artifacts: {expose_as: My files, paths: [a/], access: developer}"),
    job("rules: [[{if: '$A'}], {when: never}]"),
    job("rules: [{if: '$A == null', when: delayed, start_in: 1 week}]"),
    job("rules: [{changes: {paths: [a], compare_to: main}}, {exists: {paths: [a], project: b/c, ref: d}}]"),
    job("rules: [{exists: Dockerfile, allow_failure: true, interruptible: true}]"),
    job("when: delayed, start_in: 10 minutes"),
    job("only: {refs: [main, /^v/], kubernetes: active, variables: [$A]}, except: [tags]"),
    job("retry: {max: 1, when: always, exit_codes: [1, 2]}"),
    job("timeout: 1m 3s, coverage: '/\\d+/', allow_failure: {exit_codes: 3}"),
    job(
      "environment: {name: review/$CI_COMMIT_REF_SLUG, url: 'https://a', deployment_tier: other, auto_stop_in: 1 day}",
    ),
    job("inherit: {default: [image, retry], variables: false}, variables: {A: {value: b, expand: false}, C: }"),
    job("parallel: {matrix: [{A: [b, 1], C: d}]}"),
    job("hooks: {pre_get_sources_script: [a]}, id_tokens: {A: {aud: [b]}}, manual_confirmation: Really?"),
    job(
      "secrets: {A: {vault: a/b, file: false}}, identity: google_cloud, resource_group: a, release: {tag_name: a, description: b}",
    ),
    "pages: {script: x, publish: public}\nother: {script: x, pages: {path_prefix: a}, publish: b}",
    "variables: {A: {value: a, description: b, options: [a, c]}}\nrspec: {script: [[a, [b]], c]}",
    "a: {trigger: {include: [a.yml, {local: b.yml}, {project: c/d, file: e.yml}], strategy: mirror}}",
    "b: {script: x, stage: build}\na: {trigger: {include: [{artifact: c.yml, job: b}]}}",
    "a: {trigger: {project: b, branch: c, forward: {pipeline_variables: true}, inputs: {d: e}}, parallel: {matrix: [{A: [1]}]}}",
    "default: {script: y}",
    "workflow: {name: a, auto_cancel: {on_new_commit: none}, rules: [{if: '$A', variables: {B: c}}, {when: always}]}\nrspec: {script: test}",
    "stages: [[a], b]\nrspec: {script: test, stage: a}",
  ])("%s", (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe("a fault has its place in the file", () => {
  test.each([
    ["rspec:\n  script: test\n  tags: mysql\n", "line 3, column 3"],
    ["a:\n  script: x\n# More.\nrspec:\n  script: test\n  rules:\n    - if: $A\n    - if: $A ==\n", "line 8, column 7"],
    [".base:\n  cache:\n    key: 1\nrspec:\n  extends: .base\n  script: test\n", "line 3, column 5"],
    ["stages:\n- a\n- 1\nrspec: {script: test}", "line 1, column 1"],
    ["services:\n  - a\n  - 10\nrspec: {script: test}", "line 3, column 5"],
    ['"my job": {script: test, unknown: x}', "line 1, column 26"],
    ["rspec: {script: test, variables: {A: {value: a,\n  wrong: b}}}", "line 1, column 35"],
  ])("%j at %s", (text, position) => {
    expect(toldOf(text)[0]).toEndWith(` (${position})`);
  });

  test("and what is of the whole file has none", () => {
    expect(toldOf("image: a")).toEqual(["jobs config should contain at least one visible job"]);
  });
});

test("all faults are told, those of the file first, and each once", () => {
  const text = "image: [a]\nstages: x\na: {script: x, tags: y, when: z}\nb: {script: x, image: {}}";
  expect(faultsOf(text)).toEqual([
    "image config should be a hash or a string",
    "image name should be a string",
    "image name can't be blank",
    `stages config should be ${listed}`,
    "jobs:a when should be one of: on_success, on_failure, always, manual, delayed",
    "jobs:b:image name should be a string",
    "jobs:b:image name can't be blank",
  ]);
  const many = Array.from({ length: 300 }, (_, at) => `j${at}: {script: x, tags: y}`).join("\n");
  expect(faultsOf(many)).toHaveLength(100);
});
