/** A named folder for repositories, possibly on another disk (storage-moves 1). */
export interface RepositoryStorage {
  readonly name: string;
  /** An absolute path; undefined means inside the data folder. */
  readonly folder: string | undefined;
}
