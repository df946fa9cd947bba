import { rootToken } from "./outpost.ts";

/**
 * Milliseconds of `GET /users…`, one after the other, in rising order; each URL differs, so that no kept page answers.
 */
export async function timesOf(origin: string, paths: (turn: number) => string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const begun = performance.now();
    const answer = await fetch(`${origin}/api/v4/users?${paths(turn)}&turn=${turn}`, {
      headers: { "PRIVATE-TOKEN": rootToken },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${paths(turn)} answered ${answer.status}`);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b);
}
