import { describe, expect, test } from "bun:test";
import {
  inOrder,
  type JobStatus,
  nextStatus,
  oneOfEachWeight,
  type Step,
  statuses,
  statusOf,
  stepsBefore,
} from "../../../../src/modules/ci/pipelines/status.ts";
import { createRandom } from "../../../support/checks/random.ts";

const step = (status: JobStatus, attributes: Partial<Step> = {}): Step => ({
  name: "job",
  stage_idx: 0,
  status,
  when: "on_success",
  allow_failure: false,
  needs: null,
  ...attributes,
});

describe("the status of a pipeline", () => {
  test.each<[string, JobStatus | undefined]>([
    ["", undefined],
    ["created", "created"],
    ["created pending", "pending"],
    ["pending pending", "pending"],
    ["running pending created", "running"],
    ["success pending", "running"],
    ["success created", "running"],
    ["success success", "success"],
    ["success skipped", "success"],
    ["skipped skipped", "skipped"],
    ["success failed", "failed"],
    ["failed skipped", "failed"],
    ["failed canceled", "failed"],
    ["success canceled", "canceled"],
    ["failed? success", "success"],
    ["failed? canceled?", "success"],
    ["failed running", "running"],
    ["manual created", "manual"],
    ["success manual", "manual"],
    ["success manual?", "success"],
    ["manual?", "skipped"],
    ["scheduled created", "scheduled"],
    ["manual? created", "created"],
  ])("of %p is %p (? is allowed to fail)", (jobs, expected) => {
    const steps = jobs
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => step(word.replace("?", "") as JobStatus, { allow_failure: word.endsWith("?") }));
    expect(statusOf(steps)).toBe(expected as JobStatus);
    expect(statusOf(steps.reverse())).toBe(expected as JobStatus);
  });

  test("of finished jobs follows the page's sentence", () => {
    const random = createRandom(7);
    const over: JobStatus[] = ["success", "failed", "canceled", "skipped"];
    for (let round = 0; round < 2000; round += 1) {
      const steps = Array.from({ length: 1 + random.integer(0, 4) }, () =>
        step(over[random.integer(0, over.length - 1)] as JobStatus, { allow_failure: random.integer(0, 1) === 0 }),
      );
      const has = (status: JobStatus) => steps.some((each) => each.status === status && !each.allow_failure);
      const areSkipped = steps.every((each) => each.status === "skipped");
      const expected = has("failed") ? "failed" : has("canceled") ? "canceled" : areSkipped ? "skipped" : "success";
      expect(statusOf(steps)).toBe(expected);
    }
  });
});

const nextOf = (job: Step, all: readonly Step[]) =>
  nextStatus(job, stepsBefore(job, new Map(all.map((each) => [each.name, each]))));

describe("the next status of a job", () => {
  const job = (attributes: Partial<Step> = {}) => step("created", { name: "job", stage_idx: 1, ...attributes });
  const jobBefore = (status: JobStatus, allow_failure = false) => step(status, { name: "before", allow_failure });

  test.each<[Partial<Step>, JobStatus, string | undefined]>([
    [{}, "success", "pending"],
    [{}, "running", undefined],
    [{}, "failed", "skipped"],
    [{}, "canceled", "skipped"],
    [{}, "skipped", "pending"],
    [{}, "manual", undefined],
    [{ when: "on_failure" }, "success", "skipped"],
    [{ when: "on_failure" }, "failed", "pending"],
    [{ when: "always" }, "failed", "pending"],
    [{ when: "manual" }, "success", "manual"],
    [{ when: "manual" }, "failed", "skipped"],
    [{ when: "delayed" }, "success", "scheduled"],
    [{ needs: ["before"] }, "skipped", "skipped"],
    [{ needs: ["before"] }, "manual", undefined],
    [{ needs: [] }, "running", "pending"],
  ])("%p after one that is %s: %p", (attributes, status, expected) => {
    expect(nextOf(job(attributes), [jobBefore(status), job(attributes)])).toBe(expected as "pending");
  });

  test("an allowed failure, and an unneeded manual job, do not block", () => {
    expect(nextOf(job(), [jobBefore("failed", true)])).toBe("pending");
    expect(nextOf(job(), [jobBefore("manual", true)])).toBe("pending");
  });

  test("a job that needs a manual job by name waits for it", () => {
    expect(nextOf(job({ needs: ["before"] }), [jobBefore("manual", true)])).toBe("skipped");
    expect(nextOf(job({ needs: ["before"], when: "always" }), [jobBefore("manual", true)])).toBe("pending");
  });

  test("jobs come after those that they wait for", () => {
    const steps = [
      job({ name: "c", needs: ["b"] }),
      job({ name: "d", stage_idx: 2 }),
      job({ name: "b", needs: ["a", "gone"] }),
      job({ name: "a", stage_idx: 0 }),
    ];
    expect(inOrder(steps).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  test("one job of each weight decides as all of them do", () => {
    const random = createRandom(12);
    const whens = ["on_success", "on_failure", "always", "manual", "delayed"] as const;
    for (let round = 0; round < 2_000; round += 1) {
      const before = Array.from({ length: random.integer(0, 6) }, () =>
        step(statuses[random.integer(0, statuses.length - 1)] as JobStatus, {
          allow_failure: random.integer(0, 1) === 0,
        }),
      );
      const next = step("created", { when: whens[random.integer(0, 4)] as "always" });
      expect(nextStatus(next, oneOfEachWeight(before))).toBe(nextStatus(next, before));
    }
  });

  test("every job of every pipeline ends, and the pipeline with them", () => {
    const random = createRandom(11);
    const whens = ["on_success", "on_failure", "always"] as const;
    for (let round = 0; round < 300; round += 1) {
      let steps: Step[] = Array.from({ length: 1 + random.integer(0, 5) }, (_, at) => ({
        ...step("created", {
          name: `${at}`,
          stage_idx: random.integer(0, 2),
          allow_failure: random.integer(0, 2) === 0,
        }),
        when: whens[random.integer(0, 2)] as "always",
      }));
      for (let turn = 0; turn < 50; turn += 1) {
        const now = steps;
        steps = now.map((each) => {
          if (each.status === "pending") return { ...each, status: random.integer(0, 2) === 0 ? "failed" : "success" };
          return each.status === "created" ? { ...each, status: nextOf(each, now) ?? "created" } : each;
        });
      }
      const ends = ["success", "failed", "skipped"];
      expect(steps.every(({ status }) => ends.includes(status))).toBe(true);
      expect(ends).toContain(statusOf(steps) as string);
    }
  });
});

test("there is no other status", () => {
  expect(new Set(statuses).size).toBe(12);
});
