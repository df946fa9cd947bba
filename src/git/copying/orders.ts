/** A task for the worker. */
export interface CopyOrder {
  readonly id: number;
  /** Folders of bare repositories. */
  readonly source: string;
  readonly destination: string;
}

/** The result of a task. */
export interface CopyReport {
  readonly id: number;
  /** null: the copy is there, verified and durable. */
  readonly error: string | null;
}
