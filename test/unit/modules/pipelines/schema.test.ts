import { describe, expect, test } from "bun:test";
import Ajv from "ajv";
import { ciFileSchema, readCiFile } from "../../../../src/modules/ci/ci-config/index.ts";

const validator = new Ajv({ strict: false, validateSchema: true, allowUnionTypes: true });
const validate = validator.compile(ciFileSchema() as object);
const fits = (text: string) => validate(Bun.YAML.parse(text));

function isTaken(text: string): boolean {
  try {
    readCiFile(text);
    return true;
  } catch {
    return false;
  }
}

const valid = `
stages: [build, test]
variables: {A: b, C: {value: d, description: e, options: [d]}}
default: {image: alpine, retry: 1, tags: [docker]}
workflow: {name: n, rules: [{if: $A, variables: {B: c}}, {when: always}]}
.base: {cache: {key: {files: [a], prefix: b}, paths: [c], policy: pull}}
build:
  extends: .base
  stage: build
  image: {name: a, entrypoint: [""], pull_policy: always, docker: {user: "1"}}
  services: [a, {name: b, alias: c, variables: {D: 1}}]
  script: [a, [b, c]]
  artifacts: {paths: [a], expire_in: 1 week, reports: {junit: [x], coverage_report: {coverage_format: jacoco, path: y}}}
  parallel: {matrix: [{OS: [linux, mac], V: 1}]}
  environment: {name: review/a, url: "https://b", action: start}
  rules: [{if: $A, changes: [b], when: manual, allow_failure: true}, {exists: {paths: [c]}}]
  retry: {max: 2, when: [script_failure]}
  timeout: 1h
  id_tokens: {T: {aud: x}}
  release: {tag_name: v1, description: d, assets: {links: [{name: n, url: "https://a/b"}]}}
test:
  script: x
  needs: [{job: build, artifacts: false}, {pipeline: $P, job: a}]
  only: {refs: [main, /^v/], changes: [a]}
  when: delayed
  start_in: 10 minutes
  allow_failure: {exit_codes: [1, 2]}
  inherit: {default: [image], variables: false}
child: {trigger: {include: [a.yml, {project: b/c, file: d.yml}], strategy: depend, forward: {yaml_variables: true}}}
other: {trigger: b/c}
`;

describe("the JSON schema of CI files", () => {
  test("takes a file with most keywords, as the server does", () => {
    expect(fits(valid)).toBe(true);
    expect(isTaken(valid)).toBe(true);
  });

  test("takes what other files bring, parts of other jobs, and keywords without a value", () => {
    expect(fits("include: {local: a.yml}\na: {extends: .b, script: x}")).toBe(true);
    expect(fits("include: [a.yml, {project: b, file: [c.yml]}]\na: {stage: b}")).toBe(true);
    // An editor sees the tag !reference as a list of texts.
    expect(fits("a: {script: [[.b, script], c], rules: [[.b, rules]], image: [.b, image]}")).toBe(true);
    expect(fits("a: {script: x, image:, variables: }")).toBe(true);
    expect(fits(".template: [anything]\na: {script: x}")).toBe(true);
  });

  test.each([
    "a: {script: x, scrip: y}",
    "a: {script: 1}",
    "a: {script: x, tags: y}",
    "a: {script: x, when: sometimes}",
    "a: {script: x, stage: 1}",
    "a: {script: x, retry: 5}",
    "a: {script: x, retry: {max: 1, often: true}}",
    "a: {script: x, image: {name: 1}}",
    "a: {script: x, image: {name: b, docker: {group: c}}}",
    "a: {script: x, services: b}",
    "a: {script: x, services: [1]}",
    "a: {script: x, cache: {when: b}}",
    "a: {script: x, cache: {key: {prefix: b}}}",
    "a: {script: x, artifacts: {paths: b}}",
    "a: {script: x, artifacts: {reports: {xunit: b}}}",
    "a: {script: x, rules: [{iff: b}]}",
    "a: {script: x, rules: [{when: b}]}",
    "a: {script: x, parallel: 201}",
    "a: {script: x, environment: {name: b, action: c}}",
    "a: {script: x, needs: [{job: b, option: c}]}",
    "a: {script: x, allow_failure: b}",
    "a: {script: x, only: {ref: [b]}}",
    "a: {trigger: {project: b, strategy: c}}",
    "a: {trigger: {include: [b, c, d, {local: e}]}}",
    "a: {trigger: b, script: c, image: d}",
    "workflow: {rules: [{when: manual}]}\na: {script: x}",
    "default: {script: x}",
    "stages: b\na: {script: x}",
    "variables: [b]\na: {script: x}",
    "variables: {B: {text: c}}\na: {script: x}",
    "a: text",
  ])("refuses %s", (text) => {
    expect(fits(text)).toBe(false);
  });
});
