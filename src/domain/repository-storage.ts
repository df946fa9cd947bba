/** A named place for repositories, which may be another disk (storage-moves 1). */
export interface RepositoryStorage {
  readonly name: string;
  /** Absolute; undefined: inside the data folder. */
  readonly folder: string | undefined;
}
