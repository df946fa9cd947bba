import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder of one test; `await using folder = await createTempFolder()` removes it at the end of the block. */
export interface TempFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  remove(): Promise<void>;
}

export async function createTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), "outpost-test-"));
  const remove = () => rm(path, { recursive: true, force: true });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
