import { Reference, type Scenario, type Step } from "../../scenario.ts";
import { memberOf, text, unique } from "../../values.ts";
import { makeProject } from "../common.ts";

/** The tag of these jobs, so that only the area's runner takes them. */
export const tag = unique("selftest");

const ciFile = text`
build:
  tags: [${tag}]
  script: ["true"]
  artifacts: { paths: [report.txt] }
later:
  tags: [${tag}]
  when: manual
  script: ["true"]
`;

/** Creates a project with a CI file with the job `build`, and the manual job `later`. */
export function makeCiProject(scenario: Scenario, path: string): Reference {
  const id = makeProject(scenario, path).get("id");
  scenario.call(
    "POST /projects/:id/repository/files/:file_path",
    { id, file_path: ".gitlab-ci.yml" },
    {
      json: { branch: "main", content: ciFile, commit_message: "Add the CI file [ci skip]" },
    },
  );
  return id;
}

/** Creates a runner of the project, which takes only its jobs. Its token is `token`. */
export function makeRunner(scenario: Scenario, project_id: Reference): Step {
  return scenario.call(
    "POST /user/runners",
    {},
    {
      json: { runner_type: "project_type", project_id, description: "selftest", tag_list: [tag], run_untagged: false },
    },
  );
}

/** Creates a pipeline, and lets the runner take its job. The result has the job's `id` and `token`. */
export function takeJob(scenario: Scenario, project: Reference, runner: Step): Step {
  scenario.call("POST /projects/:id/pipeline", { id: project }, { json: { ref: "main" } });
  return scenario.call(
    "POST /jobs/request",
    {},
    {
      as: "anonymous",
      json: { token: runner.get("token"), info: { name: "selftest" } },
      status: 201,
      expect: { job_info: { name: "build", project_id: project } },
      waits: true,
    },
  );
}

/** Returns the id of the item with this name in a list. */
export function idOf(list: Step, name: string): Reference {
  return new Reference([list], (facts) => {
    const { body } = facts.answerOf(list);
    const items: readonly unknown[] = Array.isArray(body) ? body : [];
    const item = items.find((each) => memberOf(each, "name") === name);
    return memberOf(item, "id");
  });
}
