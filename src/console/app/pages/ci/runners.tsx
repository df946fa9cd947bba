import { RunnerList } from "../../parts/ci/runner-list.tsx";

/** All runners of the instance. */
export default function Runners() {
  return (
    <>
      <h1>Runners</h1>
      <RunnerList />
    </>
  );
}
