import { type CallOptions, type Json, rootToken, type World } from "../../../support/fixtures/world.ts";

/** The shortest ways to the flags, as root. */
export function flagsOf(world: World) {
  const send = (name: string, json: object, options: CallOptions = {}) =>
    world.call("POST", `/features/${name}`, { token: rootToken, json, ...options });
  return {
    send,
    /** Throws when it is refused. */
    async set(name: string, json: object): Promise<Json> {
      const { status, body, text } = await send(name, json);
      if (status !== 201) throw new Error(`${status} ${text}`);
      return body;
    },
    async refusal(name: string, json: object): Promise<string> {
      const { status, body } = await send(name, json);
      if (status !== 400) throw new Error(`${status}`);
      return body.message;
    },
    remove: (name: string) => world.call("DELETE", `/features/${name}`, { token: rootToken }),
    async names(): Promise<string[]> {
      return (await world.get("/features")).body.map(({ name }: { name: string }) => name);
    },
  };
}

/** Gate → its value. */
export function gatesOf({ gates }: { gates: readonly { key: string; value: unknown }[] }): Record<string, unknown> {
  return Object.fromEntries(gates.map(({ key, value }) => [key, value]));
}
