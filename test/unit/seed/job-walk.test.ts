import { expect, test } from "bun:test";
import { planJobs } from "../../../src/modules/ci/pipelines/index.ts";
import { walk } from "../../../src/seed/job-walk.ts";
import { SeededRandom } from "../../../src/seed/seeded-random.ts";

const ci = `
compile: {stage: build, script: x}
check: {script: x, needs: [compile]}
tidy: {stage: deploy, script: x, when: always}`;

test("the jobs of old pipelines end, one stage after the other", () => {
  const planned = planJobs(ci, { ref: "main", tag: false, source: "push" }, {}, []);
  if (planned === "filtered") throw new Error("filtered");
  for (let seed = 1; seed <= 50; seed += 1) {
    const [compile, check, tidy] = walk(new SeededRandom(seed, "jobs"), planned.jobs, 0, false);
    expect(["success", "failed", "canceled"]).toContain(compile?.status as string);
    expect(compile?.status === "success" ? "skipped" : check?.status).toBe("skipped");
    expect(["success", "failed", "canceled"]).toContain(tidy?.status as string);
    expect(tidy?.times.queued ?? 0).toBeGreaterThanOrEqual(compile?.times.finished ?? 0);
  }
});
