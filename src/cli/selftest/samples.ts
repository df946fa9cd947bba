import { type AccessLevel, accessLevels } from "../../domain/access-level.ts";
import { modules } from "../../modules/index.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { tagsOf } from "../../modules/kernel/operation-table.ts";
import type { Sample, SampleName, SampleUser } from "../../modules/kernel/sample.ts";
import {
  loadSamples,
  type SampleHost,
  SampleMaker,
  type SampleTable,
  sampleNameOf,
} from "../../modules/kernel/sample-maker.ts";
import { callOf } from "../sample-call.ts";
import { areas } from "./areas/index.ts";
import { CreatedResources } from "./created-resources.ts";
import { checkEffects } from "./effects.ts";
import { NoAnswer } from "./request.ts";
import { type AreaResult, lackOfRight, operationOf, type ScenarioRunner, skip } from "./runner.ts";
import { MissingValue, type Reference, type Role, type Step, type StepOptions, stepOf } from "./scenario.ts";
import { group, me, owner, project } from "./setup.ts";

/** The operations of an area that no scenario calls successfully, and that may be called on a third-party server. */
export type SampledArea = readonly SampleName[];

export const samples: SampleTable = await loadSamples(modules);

/** The areas by the names of their modules. */
export const sampledAreas: ReadonlyMap<string, SampledArea> = await findSampledAreas();

async function findSampledAreas(): Promise<ReadonlyMap<string, SampledArea>> {
  const steps = areas.flatMap((area) => area.steps);
  const called = new Set(steps.flatMap(({ call, options: { status = 200 } }) => (status < 300 ? [call] : [])));
  const found = new Map<string, SampledArea>();
  for (const manifest of modules) {
    const operations = (await tagsOf(manifest)).flatMap((tag) => tag.operations);
    const names = operations
      .filter((operation) => {
        const name = sampleNameOf(operation);
        const isOptional = operation.http?.partOf === "console" || operation.who === "job";
        return !called.has(name) && !isOptional && samples.get(name)?.unsuited === undefined;
      })
      .map(sampleNameOf);
    if (names.length > 0) found.set(manifest.name, names);
  }
  return found;
}

/** Thrown when the token lacks the right that a sample's preparation needs. */
class MissingRight extends Error {}

/** Calls operations with the samples of their modules. */
export class SampleRunner {
  readonly #runner: ScenarioRunner;
  readonly #known: SampleHost["known"] = new Map();
  readonly #made: CreatedResources;
  #count = 0;

  constructor(runner: ScenarioRunner) {
    this.#runner = runner;
    this.#made = new CreatedResources(runner);
  }

  async run(names: SampledArea, result: AreaResult): Promise<void> {
    for (const name of names) {
      if (this.#runner.isStopped) return;
      const path = { project: project.get("path_with_namespace"), group: group.get("full_path") };
      const step = stepOf(name, path, this.#optionsOf(operationOf({ call: name }), samples.get(name) ?? {}));
      const reason = this.#runner.reasonToSkip(step);
      if (reason === undefined) await this.#try(name, step, result);
      else skip(result, reason);
    }
  }

  /** Deletes the resources outside of the run's group. Returns the failed calls. */
  cleanUp(): Promise<string[]> {
    return this.#made.remove();
  }

  /** Returns the caller: the owner where possible, so that the token's own user does not change. */
  #optionsOf({ who }: Operation, { status }: Sample): StepOptions {
    const statusFor = (level: AccessLevel) => status?.({ level, isAdministrator: false }, "private") ?? 0;
    const guest = statusFor(accessLevels.guest);
    const refusals = guest === 0 ? {} : { guest: guest >= 400 && guest };
    if (statusFor(accessLevels.owner) >= 400) return { refusals, needs: "administrator" };
    const isForAdministrators = who === "administrator" || who === "administrator_first";
    return { refusals, as: isForAdministrators || !this.#runner.isAdministrator ? "root" : "owner" };
  }

  async #try(name: SampleName, step: Step, result: AreaResult): Promise<void> {
    const { as = "root" } = step.options;
    const prepared = await this.#prepare(name, as).catch((error: Error) => error);
    if (prepared instanceof MissingRight) return skip(result, lackOfRight);
    const before = result.failures.length;
    await this.#runner.perform(step, result, async () => {
      if (!(prepared instanceof Error)) return prepared.call;
      throw prepared instanceof NoAnswer ? prepared : new MissingValue(prepared.message);
    });
    if (prepared instanceof Error || !this.#runner.hasAnswer(step)) return;
    const answer = this.#runner.facts.answerOf(step);
    this.#made.note(prepared.request, answer);
    if (result.failures.length === before)
      await checkEffects(this.#runner, samples, { ...prepared, as, answer, operation: operationOf(step) }, result);
  }

  async #prepare(name: SampleName, as: Role | Reference) {
    const request = await new SampleMaker(samples, this.#hostFor(as)).prepare(name);
    return { request, call: await callOf(request) };
  }

  #hostFor(as: Role | Reference): SampleHost {
    const { facts, isAdministrator } = this.#runner;
    const read = (reference: Reference) => reference.read(facts);
    const userOf = (made: Pick<Step, "get">): SampleUser => ({
      id: Number(read(made.get("id"))),
      username: String(read(made.get("username"))),
    });
    const own = userOf(me);
    const user = isAdministrator ? userOf(owner.user) : own;
    return {
      ...{ user, caller: as === "root" ? own : user, known: this.#known },
      place: {
        visibility: "private",
        groupId: Number(read(group.get("id"))),
        groupPath: String(read(group.get("full_path"))),
        projectId: Number(read(project.get("id"))),
        projectPath: String(read(project.get("path_with_namespace"))),
      },
      fresh: () => {
        this.#count += 1;
        return `sample${this.#count}-${facts.random}`;
      },
      send: async (request, by) => {
        const answer = await this.#runner.send(await callOf(request), by === "root" ? by : as);
        if (answer.status < 300) this.#made.note(request, answer);
        if (answer.status === 403 && by === "root" && !isAdministrator) throw new MissingRight();
        const { status, body } = answer;
        return { status, text: typeof body === "string" ? body : JSON.stringify(body ?? null) };
      },
    };
  }
}
