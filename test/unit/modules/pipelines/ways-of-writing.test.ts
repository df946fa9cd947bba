import { expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/ci/pipelines/creation/plan.ts";

/** Ways in which large open projects write their files, in one. */
const text = `---
variables: &first
  FIRST: "1"

variables: &second  # a keyword twice, both with an anchor
  MULTIPLIER: 3
  PORT: 012345
  VERSION: 1.10
  SINCE: "2024-01-01"
  PICK:
    description: "Regex in slashes. For example /job1|job2/"
# A comment in the first column.
  FLAG: yes

stages: [build, test]

.needed: &needed
  - export-rootfs
  - export-kernel

.gcc:
  variables: &gcc
    CC: gcc
    CXX: g++

.template: &template
  stage: build
  services:
  artifacts:
    expire_in: 1 mos
    paths: ['*.log']
    when: always
  needs: []

.build:
  <<: *template
  variables:
    <<: *first
    <<: *gcc
    CXX: clang++
  tags:
    - "runner:docker"

export-rootfs: {extends: .build, script: "true"}
export-kernel: {extends: .build, variables: {LINUX: 6.1.19}, script: ["true"]}

windows:
  extends: .build
  script:
    - C:\\msys64\\usr\\bin\\bash -lc "bash -x ./test.sh"
    - echo "deb [arch=$(dpkg)] https://packages.example/ubuntu \\
      $(lsb_release -cs) stable" | tee list > /dev/null
    # a comment between items
    - sudo dnf install -y
            first
            second
            # third (later)
    - |
      if [[ $(jq '.[env.NAME].up' status) == 0 ]]
      then
        echo -e "\\e[31mdown\\e[0m"
      fi
    - - nested
      - !reference [.more, script]

.more:
  script:
    - cat <<EOF > file
    - 'single ''quotes'''

smoke:
  stage: test
  script: make smoke
  needs:
    - *needed
    - windows
  parallel:
    matrix:
      - VERSION: [1.0, 2.10, "3"]
      - VERSION: 0x10
  only: ["1.0", main, /^v\\d+/]
  coverage: /^\\s*Lines:\\s*(\\d+.\\d+)\\%/
`;

test("a file as people write them has the jobs and texts that the platform reads", () => {
  const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, {}, []);
  if (planned === "filtered") throw new Error("filtered");
  expect(planned.variables).toEqual({
    ...{ MULTIPLIER: "3", PORT: "5349", VERSION: "1.1", SINCE: "2024-01-01", PICK: "", FLAG: "true" },
  });
  const jobs = new Map(planned.jobs.map((job) => [job.name, job]));
  expect([...jobs.keys()]).toEqual([
    ...["export-rootfs", "export-kernel", "windows"],
    ...["smoke: [1.0]", "smoke: [2.1]", "smoke: [3]", "smoke: [16]"],
  ]);
  expect(jobs.get("export-kernel")?.config.variables).toEqual({
    ...{ FIRST: "1", CC: "gcc", CXX: "clang++", LINUX: "6.1.19" },
  });
  expect(jobs.get("windows")).toMatchObject({
    needs: [],
    tag_list: ["runner:docker"],
    config: {
      script: [
        'C:\\msys64\\usr\\bin\\bash -lc "bash -x ./test.sh"',
        'echo "deb [arch=$(dpkg)] https://packages.example/ubuntu \\ $(lsb_release -cs) stable" | tee list > /dev/null',
        "sudo dnf install -y first second",
        "if [[ $(jq '.[env.NAME].up' status) == 0 ]]\nthen\n  echo -e \"\\e[31mdown\\e[0m\"\nfi\n",
        ...["nested", "cat <<EOF > file", "single 'quotes'"],
      ],
    },
  });
  expect(jobs.get("smoke: [2.1]")?.needs).toEqual(["export-rootfs", "export-kernel", "windows"]);
});
