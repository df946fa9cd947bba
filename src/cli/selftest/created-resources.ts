import { modules } from "../../modules/index.ts";
import type { SampleName } from "../../modules/kernel/sample.ts";
import { loadSamples, type SampleRequest } from "../../modules/kernel/sample-maker.ts";
import type { PreparedCall } from "./request.ts";
import { operationOf, type ScenarioRunner } from "./runner.ts";
import type { StepAnswer } from "./scenario.ts";
import { memberOf } from "./values.ts";

const operations = [...(await loadSamples(modules)).keys()];

/** The longest time for the server to remove one resource. */
const waitMsMax = 30_000;
const waitMs = 20;

/** The resources that samples created outside of the group of the run. */
export class CreatedResources {
  readonly #runner: ScenarioRunner;
  /** The calls that delete them, in the order of creation. */
  readonly #removals: { readonly call: PreparedCall; readonly isShown: boolean }[] = [];

  constructor(runner: ScenarioRunner) {
    this.#runner = runner;
  }

  /** Notes the resource that a successful call created. */
  note({ operation, path, json }: SampleRequest, { body }: StepAnswer): void {
    const isInside = ["parent_id", "namespace_id"].some((name) => memberOf(json, name) !== undefined);
    if (isInside || !/^(POST|PUT) \/(?!(groups|projects|users)\/:)/.test(operation)) return;
    const declared = operation.slice(operation.indexOf("/"));
    const removal = operations.find((name) => name === `DELETE ${declared}` || isOneOf(name, declared));
    if (removal === undefined) return;
    const id = memberOf(body, "id");
    const isOne = isOneOf(removal, declared);
    if (isOne && id === undefined) return;
    const prefix = operationOf({ call: removal }).root === true ? "" : "/api/v4";
    const query = removal === "DELETE /users/:id" ? "?hard_delete=true" : "";
    const call = { method: "DELETE", path: `${prefix}${path}${isOne ? `/${id}` : ""}${query}`, headers: {} };
    this.#removals.push({ call, isShown: operations.some((name) => name === removal.replace("DELETE", "GET")) });
  }

  /** Deletes all, in reverse order. Returns the failed calls. */
  async remove(): Promise<string[]> {
    const left: string[] = [];
    for (const { call, isShown } of this.#removals.splice(0).reverse()) {
      const { status } = await this.#runner.send(call, "root");
      if (status >= 300 && status !== 404) left.push(`${call.method} ${call.path}: status ${status}`);
      else if (isShown && !(await this.#isGone(call))) left.push(`${call.path} does not answer 404`);
    }
    return left;
  }

  async #isGone(call: PreparedCall): Promise<boolean> {
    const end = Date.now() + waitMsMax;
    for (; ; await Bun.sleep(waitMs)) {
      if ((await this.#runner.send({ ...call, method: "GET" }, "root")).status === 404) return true;
      if (Date.now() > end) return false;
    }
  }
}

function isOneOf(name: SampleName, declared: string): boolean {
  const rest = name.startsWith(`DELETE ${declared}/:`) ? name.slice(`DELETE ${declared}/:`.length) : "/";
  return !rest.includes("/");
}
