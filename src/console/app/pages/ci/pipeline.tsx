import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { addressOf } from "../../api/paths.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { useInterval } from "../../parts/hooks/use-interval.ts";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { isUnderWay, Status } from "../../parts/project/status.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { hrefOf } from "../../state/router.ts";
import { attempt } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Job = components["schemas"]["Job"];

const everyMs = 2_000;
/** The most entries of a page in the API. */
const jobsMax = 100;

/** A pipeline with its stages and jobs. */
export default function PipelinePage({ params }: PageProps) {
  const path = { id: Number(params.id), pipeline_id: Number(params.pipeline) };
  const ask = async () => {
    const [pipeline, needs, jobs] = await Promise.all([
      answerOf(client.GET("/api/v4/projects/{id}/pipelines/{pipeline_id}", { params: { path } })),
      answerOf(client.GET("/-/projects/{id}/pipelines/{pipeline_id}/needs", { params: { path } })),
      answerOf(
        client.GET("/api/v4/projects/{id}/pipelines/{pipeline_id}/jobs", {
          params: { path, query: { per_page: jobsMax } },
        }),
      ),
    ]);
    return { pipeline, jobs, needs: new Map(needs.map((each) => [each.job, each.needs])) };
  };
  const { data, refusal, reload } = useAnswer(`${params.id} ${params.pipeline}`, ask);
  const isRunning = data !== undefined && isUnderWay(data.pipeline.status);
  useInterval(everyMs, isRunning, reload);
  const act = (verb: "retry" | "cancel") =>
    attempt(async () => {
      await client.POST(`/api/v4/projects/{id}/pipelines/{pipeline_id}/${verb}`, { params: { path } });
      reload();
    });
  return (
    <>
      <ProjectHead id={path.id} title={`Pipeline ${params.pipeline}`}>
        {data !== undefined && (
          <button type="button" onClick={() => void act(isRunning ? "cancel" : "retry")}>
            {isRunning ? "Cancel" : "Retry what failed"}
          </button>
        )}
      </ProjectHead>
      <Refusal text={refusal} />
      {data !== undefined && (
        <>
          <Facts
            of={[
              ["Status", <Status key="status" of={data.pipeline.status} />],
              ["Ref", data.pipeline.ref],
              ["Commit", data.pipeline.sha.slice(0, 8)],
              ["Started by", data.pipeline.user?.name ?? "nobody"],
              ["Created", <Moment key="created" at={data.pipeline.created_at} />],
              ["Seconds", data.pipeline.duration ?? "not ended"],
            ]}
          />
          {data.pipeline.yaml_errors !== null && <p class="refusal">{data.pipeline.yaml_errors}</p>}
          <ApiButton
            call={{
              method: "GET",
              address: addressOf("/api/v4/projects/{id}/pipelines/{pipeline_id}/jobs", path, { per_page: jobsMax }),
            }}
          />
          <Stages jobs={data.jobs} needs={data.needs} />
          {data.jobs.length === jobsMax && <p class="weak">The newest {jobsMax} jobs.</p>}
        </>
      )}
    </>
  );
}

interface StagesProps {
  readonly jobs: readonly Job[];
  /** The names of the jobs that each job needs; null means all of the earlier stages. */
  readonly needs: ReadonlyMap<string, readonly string[] | null>;
}

/** The stages in the order of their first jobs. */
function Stages({ jobs, needs }: StagesProps) {
  const ordered = [...jobs].sort((one, other) => one.id - other.id);
  const stages = [...Map.groupBy(ordered, ({ stage }) => stage)];
  return (
    <div class="stages">
      {stages.map(([stage, own]) => (
        <section key={stage} aria-label={`Stage ${stage}`}>
          <h2>
            <bdi>{stage}</bdi>
          </h2>
          <ul>
            {own.map((job) => (
              <li key={job.id}>
                <a href={hrefOf(`/projects/${job.pipeline.project_id}/jobs/${job.id}`)}>
                  <bdi>{job.name}</bdi>
                </a>{" "}
                <Status of={job.status} />
                <Needs of={needs.get(job.name)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The jobs that a job needs; nothing if it waits for the earlier stages, the default. */
function Needs({ of: names }: { readonly of: readonly string[] | null | undefined }) {
  if (!names) return null;
  return <p class="help">{names.length === 0 ? "needs no other job" : `needs ${names.join(", ")}`}</p>;
}
