/** What the worker is asked to do. */
export interface CopyOrder {
  readonly id: number;
  /** Folders of bare repositories. */
  readonly source: string;
  readonly destination: string;
}

/** How it ended. */
export interface CopyReport {
  readonly id: number;
  /** null: the copy is there, verified and durable. */
  readonly error: string | null;
}
