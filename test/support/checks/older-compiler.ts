import { plugin } from "bun";

/** Generators of types build their text with the compiler's older interface, which TypeScript 7 does not have. */
export function useOlderCompiler(): void {
  plugin({
    name: "the compiler of generators",
    setup(build) {
      build.module("typescript", async () => {
        const older = await import("typescript-5");
        return { exports: { ...older, default: older.default }, loader: "object" };
      });
    },
  });
}
