import { Failure } from "../../../src/domain/failure.ts";

/** The failure that `act` throws; anything else that happens is an error of the test. */
export function failureOf(act: () => unknown): Failure {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

export async function failureOfAsync(act: () => Promise<unknown>): Promise<Failure> {
  try {
    await act();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}
