/** Some files of one room that one process runs. */
export interface Shard {
  readonly files: readonly string[];
  /** Seconds that the files are expected to take. */
  readonly seconds: number;
}

/**
 * Divides files into shards of about `shardSeconds` each: the longest file first, always into the shard with the least to do.
 * Files with a larger time than that are alone in their shard.
 */
export function divideIntoShards(
  files: readonly string[],
  secondsOf: (file: string) => number,
  shardSeconds: number,
): Shard[] {
  const total = files.reduce((sum, file) => sum + secondsOf(file), 0);
  const shards = Array.from({ length: Math.max(1, Math.round(total / shardSeconds)) }, () => ({
    files: [] as string[],
    seconds: 0,
  }));
  for (const file of [...files].sort((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = shards.reduce((best, shard) => (shard.seconds < best.seconds ? shard : best));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return shards.filter((shard) => shard.files.length > 0);
}
