import { createServer } from "node:net";

/**
 * A port of this machine that nobody has at the moment, for programs that cannot choose one themselves. It is below those
 * that the system hands out, so that nobody is given it before it is used.
 */
export async function freePort(): Promise<number> {
  while (true) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
