import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { addressOf } from "../../api/paths.ts";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { Moment } from "../../parts/moment.tsx";
import { JobLog } from "../../parts/project/job-log.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { isUnderWay, Status } from "../../parts/project/status.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { go, hrefOf } from "../../state/router.ts";
import { attempt } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Job = components["schemas"]["Job"];

const everyMs = 2_000;

/** A job with its log, which is updated while the job runs. */
export default function JobPage({ params }: PageProps) {
  const path = { id: Number(params.id), job_id: Number(params.job) };
  const {
    data: job,
    refusal,
    reload,
  } = useAnswer(`${params.id} ${params.job}`, () =>
    answerOf(client.GET("/api/v4/projects/{id}/jobs/{job_id}", { params: { path } })),
  );
  const isRunning = job !== undefined && isUnderWay(job.status);
  useInterval(everyMs, isRunning, reload);
  return (
    <>
      <ProjectHead id={path.id} title={job?.name ?? "Job"}>
        {job !== undefined && <Actions job={job} path={path} onChange={reload} />}
      </ProjectHead>
      <Refusal text={refusal} />
      {job !== undefined && (
        <>
          <Facts
            of={[
              ["Status", <Status key="status" of={job.status} />],
              ["Stage", job.stage],
              [
                "Pipeline",
                <a key="pipeline" href={hrefOf(`/projects/${path.id}/pipelines/${job.pipeline.id}`)}>
                  {job.pipeline.id}
                </a>,
              ],
              ["Runner", job.runner?.description ?? "none yet"],
              ["Started", <Moment key="started" at={job.started_at} />],
              ["Seconds", job.duration ?? "not started"],
              ["Why it failed", job.failure_reason?.replaceAll("_", " ") ?? "it did not"],
            ]}
          />
          {job.artifacts_file !== undefined && (
            <p>
              <a href={addressOf("/api/v4/projects/{id}/jobs/{job_id}/artifacts", path)} download>
                Download the artifacts
              </a>
            </p>
          )}
          <h2>Log</h2>
          <JobLog projectId={path.id} jobId={path.job_id} isGrowing={isRunning} />
        </>
      )}
    </>
  );
}

interface ActionsProps {
  readonly job: Job;
  readonly path: { readonly id: number; readonly job_id: number };
  readonly onChange: () => void;
}

function Actions({ job, path, onChange }: ActionsProps) {
  const verb =
    job.status === "manual" || job.status === "scheduled" ? "play" : isUnderWay(job.status) ? "cancel" : "retry";
  const act = () =>
    attempt(async () => {
      const call = client.POST(`/api/v4/projects/{id}/jobs/{job_id}/${verb}`, { params: { path } });
      const { id } = await answerOf(call);
      if (id === path.job_id) onChange();
      else go(`/projects/${path.id}/jobs/${id}`);
    });
  return (
    <button type="button" onClick={() => void act()}>
      {{ play: "Run", cancel: "Cancel", retry: "Retry" }[verb]}
    </button>
  );
}
