import type { Server } from "bun";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import {
  type Authority,
  type Fetch,
  type Listener,
  mapBindErrors,
  originOf,
  serveSocket,
  serveTcp,
} from "./listener.ts";
import { freeSocketFile, withUmask } from "./socket-file.ts";

/** Starts the listener. Throws `StartError` for an unusable address, socket file or certificate. */
export async function openListener(config: Config, fetch: Fetch, log: Log): Promise<Listener> {
  const { socket, tlsCert, tlsKey, tlsSelfSigned } = config;
  const serving = { fetch, log, isSandbox: config.sandbox };
  if (socket !== undefined) {
    await freeSocketFile(socket);
    const server = mapBindErrors(config, () => withUmask(() => serveSocket(socket, serving)));
    return listenerOf(`unix:${socket}`, server);
  }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const { listenWithFiles } = await import("./tls-listener.ts");
    return listenWithFiles(config, { cert: tlsCert, key: tlsKey }, serving);
  }
  if (tlsSelfSigned) {
    const { prepareOwnPair } = await import("./self-signed.ts");
    const { pair, authority } = await prepareOwnPair(config, new Date());
    const server = mapBindErrors(config, () => serveTcp(config, serving, { tls: pair }));
    return listenerOf(originOf("https", config.host, server), server, authority);
  }
  const server = mapBindErrors(config, () => serveTcp(config, serving, {}));
  return listenerOf(originOf("http", config.host, server), server);
}

function listenerOf(origin: string, server: Server<undefined>, authority?: Authority): Listener {
  return {
    ...{ origin, authority, port: server.port },
    get pendingRequests() {
      return server.pendingRequests;
    },
    stop: () => server.stop(),
    cutOff: () => void server.stop(true),
  };
}
