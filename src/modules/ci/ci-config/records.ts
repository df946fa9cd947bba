/** The words and parts of a CI file that pipelines and jobs store. */

export const whens = ["on_success", "on_failure", "always", "manual", "delayed", "never"] as const;
export type When = (typeof whens)[number];

/** The jobs that a newer commit cancels. */
export const newCommitWords = ["conservative", "interruptible", "none"] as const;
/** The jobs that a failed job cancels. */
export const jobFailureWords = ["none", "all"] as const;

/** A job of another pipeline or project, whose artifacts a job gets. Texts may hold variables. */
export interface OutsideNeed {
  readonly job: string;
  /** The id of a pipeline; null: the newest one of the project and ref that has the job. */
  readonly pipeline: string | null;
  /** The full path of a project; null: the job's own. */
  readonly project: string | null;
  readonly ref: string | null;
  readonly artifacts: boolean;
}

/** `trigger:` of a job: the pipeline that it makes. Names may hold variables. */
export interface TriggerPlan {
  /** Full path of another project; null: a child pipeline of the same commit. */
  readonly project: string | null;
  /** null: the default branch of the other project. */
  readonly branch: string | null;
  /** The files of a child pipeline, as `include:` names them; null for a pipeline of another project. */
  readonly include: unknown;
  /** Values for the inputs of the other project's CI file. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The job runs until the pipeline has ended, and gets its status. */
  readonly is_dependent: boolean;
  /** The kinds of variables that are passed on. */
  readonly forward: { readonly yaml_variables: boolean; readonly pipeline_variables: boolean };
}
