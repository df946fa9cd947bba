import { modules } from "../../../modules/index.ts";
import type { Operation } from "../../../modules/kernel/operation.ts";
import {
  loadSamples,
  type SampleHost,
  SampleMaker,
  type SampleRequest,
  sampleNameOf,
} from "../../../modules/kernel/sample-maker.ts";
import { callOf } from "../../sample-call.ts";

const samples = await loadSamples(modules);

/** Calls the samples of operations as root, in a new group of the demo. */
export class SampleAnswers {
  readonly #origin: string;
  readonly #token: string;
  #host: Promise<SampleHost> | undefined;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Returns the JSON of the operation's answer; undefined when it has another status, or its sample cannot be called. */
  async answerOf(operation: Operation, status: number): Promise<unknown> {
    const name = sampleNameOf(operation);
    if (samples.get(name)?.unsuited !== undefined) return undefined;
    this.#host ??= this.#makeHost();
    const answer = await this.#send(await new SampleMaker(samples, await this.#host).prepare(name));
    return answer.status === status ? JSON.parse(answer.text) : undefined;
  }

  async #makeHost(): Promise<SampleHost> {
    let count = 0;
    const root = { id: 1, username: "root" };
    const place = { visibility: "private", groupId: 0, groupPath: "", projectId: 0, projectPath: "" } as const;
    const host: SampleHost = {
      ...{ caller: root, user: root, place, known: new Map() },
      fresh: () => {
        count += 1;
        return `example-${count}`;
      },
      send: (request) => this.#send(request),
    };
    const maker = new SampleMaker(samples, host);
    const group = await maker.call("POST /groups");
    const groupId = Number(group.get("id"));
    const project = await maker.call("POST /projects", { json: { path: "station", namespace_id: groupId } });
    return {
      ...host,
      place: {
        visibility: "private",
        groupId,
        groupPath: String(group.get("full_path")),
        projectId: Number(project.get("id")),
        projectPath: String(project.get("path_with_namespace")),
      },
    };
  }

  async #send(request: SampleRequest): Promise<{ readonly status: number; readonly text: string }> {
    const { method, path, headers, body } = await callOf(request);
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: { "PRIVATE-TOKEN": this.#token, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  }
}
